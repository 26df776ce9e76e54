// What is shown, as one flat record that lives in the address: a link restores the view. What a link asks for and this
// ledger doesn't have falls back to the default, so an old link still opens, and is told (notice.js).

const VIEWS = ['leaderboard', 'heatmap', 'tradeoff', 'datasheet', 'compare', 'weapons', 'rules', 'stratagems', 'changes', 'quality', 'reading'];
const UNIT_TARGETS = ['leaderboard', 'weapons']; // views that may have any unit as the target
const OF_TEXTS = ['rules', 'stratagems']; // views of rules texts, each of an edition of its own
const ONE_TARGET = ['tradeoff', 'datasheet', 'compare', 'weapons', 'rules', 'stratagems']; // views that need a single target
// What of a view is shown, where that decides which filters it has.
const MODES = {
  compare: ({ what }) => [what],
  tradeoff: ({ chart }) => [chart],
  rules: ({ show, side }) => (show === 'single' ? [show, side] : [show]),
};
const PHASE_NAMES = { shooting: 'Shooting', fight: 'Fight' };
const METRICS = {
  d100: { label: 'Damage per 100 points', short: 'Damage / 100 pts', words: 'wounds taken off for each 100 points', show: (v) => decimal(v, 2) },
  pd100: { label: 'Points destroyed per 100 points', short: 'Destroyed / 100 pts', words: 'points destroyed for each 100 points', show: (v) => decimal(v, 1) },
  damage: { label: 'Expected damage', short: 'Expected damage', words: 'wounds taken off', show: (v) => decimal(v, 2) },
  p: { label: 'P(destroy)', short: 'P(destroy)', words: 'chance to destroy the whole unit', show: percent },
};
const ANY = '';
const ALL = 'all'; // editions, where none is chosen means the newest one

/** Default and allowed values of each part of the state: a list, a pattern, or what is allowed of a value; null: any text. */
function stateRules(ledger) {
  const targets = ledger.targets.map((target) => target.id);
  const first = targets.includes('heavy-infantry') ? 'heavy-infantry' : (targets[0] ?? 'all');
  const phases = ledger.outcomes.phases;
  const editions = [...new Set(ledger.sheets.edition)].sort();
  const attackers = ledger.attackers.map((attacker) => attacker.id);
  const sorts = ['unit', 'faction', 'edition', 'models', 'points', 'target', 'phase', 'destroyed', ...Object.keys(METRICS)];
  return {
    view: ['leaderboard', VIEWS],
    q: [ANY, null],
    target: [first, [...targets, 'all']],
    phase: [phases.includes('shooting') ? 'shooting' : 'all', [...phases, 'all']],
    scenario: ['plain', ledger.scenarios.map((scenario) => scenario.id)],
    faction: [ANY, [ANY, ...factionsOf(ledger)]],
    edition: [ANY, [ANY, ...(usualEdition(ledger) === ANY ? [] : [ALL]), ...editions]],
    keyword: [ANY, null],
    against: [ANY, oneOf(ledger.sheets.place)],
    pmin: [ANY, /^\d{0,6}$/],
    pmax: [ANY, /^\d{0,6}$/],
    legends: [ledger.sheets.hasLegends ? 'hide' : 'show', ['hide', 'show']],
    sort: ['d100', sorts],
    dir: ['desc', ['asc', 'desc']],
    sheet: [ANY, oneOf(ledger.sheets.place)],
    units: [ANY, someOf(() => ledger.sheets.place)],
    what: ['units', ['units', 'weapons']],
    weapons: [ANY, someOf(() => ledger.weapons().place)],
    since: ['0', /^\d$/],
    rows: ['factions', ['factions', 'units']],
    metric: ['d100', Object.keys(METRICS)],
    order: ['mean', ['mean', ...targets]],
    scale: ['column', ['column', 'absolute', 'plain']],
    type: ['ranged', [ANY, 'ranged', 'melee']],
    wsort: ['target', ['target', 'label', 'unit', 'share', ...targets.map((id) => `t-${id}`)]],
    wdir: ['desc', ['asc', 'desc']],
    unit: [ANY, [ANY, ...stratagemUnits(ledger)]],
    cp: [ANY, [ANY, ...new Set(ledger.stratagems.map((stratagem) => String(stratagem.cp_cost)))]],
    modelled: [ANY, [ANY, 'yes', 'no']],
    chart: ['points', ['points', 'durability']],
    enemy: ['median', ['median', ...attackers]],
    attacker: [attackers[0] ?? ANY, attackers],
    show: ['single', ['single', 'together']],
    side: ['attacker', ['attacker', 'defender']],
    kind: ['stratagem', [...Object.keys(RULE_KINDS), 'all']],
    detachment: [ANY, [ANY, ...ledger.detachments.map((detachment) => detachment.id)]],
    cost: [ANY, [ANY, ...Object.keys(COSTS)]],
    situation: [ANY, [ANY, ...Object.keys(SITUATIONS)]],
    zeros: ['hide', ['hide', 'show']],
    rule: [ANY, null],
    rsort: [ANY, [ANY, 'rule', 'kind', 'owner', 'cost', 'best', 'phase', 'gained', 'percp', 'per100', 'bar', 'mean', 'users']],
    rdir: ['desc', ['asc', 'desc']],
    entry: [ANY, [ANY, ...entryIds()]],
  };
}

/** The newest edition that has ranked units, where several have some: the same unit of two editions would stand twice. */
function usualEdition({ units }) {
  const editions = [...new Set(units.edition)].sort(collator.compare);
  return editions.length > 1 ? editions.at(-1) : ANY;
}

const factionsOf = (ledger) => [...new Set(ledger.sheets.faction)].sort(collator.compare);
const stratagemUnits = (ledger) => [...new Set(ledger.stratagems.flatMap((s) => s.units))].sort(collator.compare);

const oneOf = (place) => (id) => (place.has(id) ? id : ANY);
/** Of several ids the first that are known, each once. */
const someOf = (place) => (ids) => [...new Set(ids.split(' '))].filter((id) => place().has(id)).slice(0, MOST_COMPARED).join(' ');

/** What is allowed of a value: itself, a part of it, or the default. */
function allowedOf([usual, allowed], value) {
  if (allowed === null || value === usual) return value;
  if (typeof allowed === 'function') return allowed(value);
  return (allowed instanceof RegExp ? allowed.test(value) : allowed.includes(value)) ? value : usual;
}

/** The state with every value allowed, and a single target where a view needs one. */
function settled(rules, state) {
  const result = {};
  for (const [name, rule] of Object.entries(rules)) result[name] = allowedOf(rule, state[name] ?? rule[0]);
  if (result.view !== 'rules') result.rule = ANY; // a rule is opened within its view
  if (result.view !== 'reading') result.entry = ANY;
  if (result.edition === ALL && OF_TEXTS.includes(result.view)) result.edition = ANY; // rules begin with all: theirs is the edition of a text
  if (result.target === 'all' && ONE_TARGET.includes(result.view)) [result.target] = rules.target;
  return result;
}

/** The state as views read it: the edition to show, or none for all. */
function resolved(ledger, state) {
  const edition = state.edition === ANY && !OF_TEXTS.includes(state.view) ? usualEdition(ledger) : state.edition;
  return { ...state, edition: edition === ALL ? ANY : edition };
}

/** The address of a state: only what differs from the default. */
function hashOf(rules, state) {
  const parts = new URLSearchParams({ view: state.view });
  for (const [name, [usual]] of Object.entries(rules)) {
    if (name !== 'view' && state[name] !== usual) parts.set(name, state[name]);
  }
  return `#${parts}`;
}

/** The pairs of an address, and what is wrong with it: parts that can't be decoded, names given twice. */
function askedBy(hash) {
  const asked = new Map();
  const refusals = [];
  for (const part of hash.replace(/^#/, '').split('&').filter(Boolean)) {
    try {
      const [name, value = ''] = part.split(/=(.*)/s).map((text) => decodeURIComponent(text.replaceAll('+', ' ')));
      if (asked.has(name) && asked.get(name) !== value) refusals.push({ kind: 'twice', name, value });
      asked.set(name, value);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      refusals.push({ kind: 'damaged', name: '', value: part });
    }
  }
  return { asked, refusals };
}

/** The state of an address, and what of it can't be shown: values that the ledger lacks, or only the view. */
function linked(rules, hash) {
  const { asked, refusals } = askedBy(hash);
  const state = settled(rules, Object.fromEntries([...asked].filter(([name]) => Object.hasOwn(rules, name))));
  for (const [name, value] of asked) {
    if (state[name] === value && Object.hasOwn(rules, name)) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : null;
    const some = typeof rule?.[1] === 'function' ? state[name].split(' ') : [];
    const missing = rule ? value.split(' ').filter((word) => !some.includes(word)) : [];
    if (some.length && !missing.length) continue; // one of several ids stood there twice
    const lost = some.length ? missing.join(' ') : value;
    refusals.push({ kind: rule && allowedOf(rule, lost) === lost ? 'view' : 'ledger', name, value: lost });
  }
  return { state, refusals };
}

/** Tells that a part of the state can't be shown, by a view whose data show it only once they are there; the page sets it. */
let refuse = () => {};

/** The address of the state with a change, or with what a function makes of the state; the page sets it, since it holds
 *  the state. */
let addressWith = () => '#';

/** A datasheet's name as a link to it. */
const sheetLink = (ledger, sheet, longest = 80) => el('a', { class: 'sheet-link', href: addressWith({ view: 'datasheet', sheet: ledger.sheets.id[sheet] }) }, nameOf(ledger.sheets.name[sheet], longest));
