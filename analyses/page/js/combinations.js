// What a detachment's rules and stratagems do together for one attack: what each further CP buys, and which part carries it.

const MOST_CP = 3;

/** The data file: for each detachment, phase and target the units that gain most, with their use of each number of CP. */
function readCombinations(raw, ledger) {
  const phases = decoded(raw.phase);
  const effects = decoded(raw.effect);
  const byPlace = new Map(); // detachment, phase and target: units with their uses
  let detachment = 0;
  raw.sheet.forEach((sheet, row) => {
    detachment += raw.detachment[row];
    const place = `${detachment} ${phases[row]} ${raw.target[row]}`;
    const units = byPlace.get(place) ?? byPlace.set(place, new Map()).get(place);
    const parts = raw.used[raw.set[row]].map((part, index) => ({ name: raw.parts[part], lost: raw.lost[row][index] / raw.cents }));
    const use = { cp: raw.cp[row], parts, effect: effects[row], gained: raw.gained[row] / raw.cents, damage: raw.damage[row] / raw.cents };
    units.set(sheet, [...(units.get(sheet) ?? []), use]);
  });
  const placeOf = new Map(ledger.detachments.map(({ id }, index) => [id, index]));
  const none = new Map();
  const unitsOf = (id, phase, target) => byPlace.get(`${placeOf.get(id)} ${phase} ${target}`) ?? none;
  /** Units of a detachment against a target in a phase, the one that gains most first. */
  const find = (id, phase, target) => {
    return [...unitsOf(id, phase, target)].map(([sheet, uses]) => ({ sheet, phase, uses, most: Math.max(...uses.map(({ gained }) => gained)) })).sort((a, b) => b.most - a.most);
  };
  return { find, count: (id, phase, target) => unitsOf(id, phase, target).size, isEmpty: byPlace.size === 0 };
}

class Combinations {
  constructor(ledger) {
    this.ledger = ledger;
  }

  async show(state) {
    this.state = state;
    const combinations = await this.ledger.combinations();
    if (this.state !== state) return;
    const { find } = combinations;
    this.isEmpty = combinations.isEmpty;
    this.counts = this.countsUnder(state, combinations.count);
    const target = this.ledger.targets.find(({ id }) => id === state.target);
    const phases = state.phase === 'all' ? this.ledger.outcomes.phases : [state.phase];
    this.of = (detachment) => (target ? phases.flatMap((phase) => find(detachment.id, phase, target.index)).sort((a, b) => b.most - a.most) : []);
    this.target = target;
    const chosen = this.ledger.detachments.find(({ id }) => id === state.detachment);
    if (chosen) this.detachment(chosen);
    else this.overview();
  }

  /** For each filter and option the rows that it would give: units of a chosen detachment, else detachments. */
  countsUnder(state, count) {
    const { detachments, targets, outcomes, sheets } = this.ledger;
    const units = (id, { phase, target }) => indices(outcomes.phases, phase).reduce((sum, one) => sum + count(id, outcomes.phases[one], targets.findIndex((other) => other.id === target)), 0);
    const rows = (changed) => (changed.detachment ? units(changed.detachment, changed) : detachments.filter(({ id, faction }) => (!changed.faction || faction === changed.faction) && units(id, changed)).length);
    const options = {
      target: targets.map(({ id }) => id), phase: [...outcomes.phases, 'all'],
      faction: [ANY, ...new Set(sheets.faction)], detachment: [ANY, ...detachments.map(({ id }) => id)],
    };
    return Object.fromEntries(Object.entries(options).map(([name, ids]) => [name, new Map(ids.map((id) => [id, rows({ ...state, [name]: id })]))]));
  }

  /** Every detachment with its best unit, as a way in. */
  overview() {
    const { detachments } = this.ledger;
    const found = detachments.filter(({ faction }) => !this.state.faction || faction === this.state.faction)
      .map((detachment) => ({ detachment, units: this.of(detachment) })).filter(({ units }) => units.length).sort((a, b) => b.units[0].most - a.units[0].most);
    this.rows = found.map(({ detachment, units: [unit] }) => ({ detachment, ...unit }));
    say('rules-count', countOf(found.length, ['detachment', 'detachments']));
    byId('rules-answer').textContent = this.target ? `What a detachment’s rules and stratagems add together to one attack ${againstWords('attacker', this.target)}. Choose a detachment to see its units.` : 'The ledger has no target.';
    const title = 'Detachments by what their best unit gains';
    const numbers = numbersOfCp(this.rows);
    const heads = [['Detachment', 'pin'], ['Best unit'], ...this.phaseHead(), ...cpHeads(numbers)];
    const lines = this.rows.map(({ detachment, sheet, phase, uses }) => [
      el('a', { class: 'sheet-link', href: addressWith({ detachment: detachment.id }) }, nameOf(detachmentWords(detachment), 120)), sheetLink(this.ledger, sheet, 60), ...this.phaseCell(phase), ...cpCells(numbers, uses, { parts: false }),
    ]);
    byId('rules-together').replaceChildren(el('div', { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': title }, lines.length ? simpleTable(title, heads, lines) : nothing(this.isEmpty ? 'No combination is compared in this ledger: its sources carry no texts of stratagems or detachment rules that change an attack in words that are understood. Put texts under raw/ and run again.' : 'No combination is compared here: the numbers behind the targets, phases and factions say where there are some.')), togetherNote());
  }

  detachment(detachment) {
    const units = this.of(detachment);
    this.rows = units.map((unit) => ({ detachment, ...unit }));
    say('rules-count', `${countOf(units.length, ['unit', 'units'])}, those that gain most`);
    this.answer(detachment, units[0]);
    const title = `Best use of 0 to ${MOST_CP} CP, unit by unit`;
    const numbers = numbersOfCp(units);
    const heads = [['Unit', 'clip pin'], ...this.phaseHead(), ...cpHeads(numbers)];
    const lines = units.map(({ sheet, phase, uses }) => [
      el('div', {}, sheetLink(this.ledger, sheet, 60), el('div', { class: 'under' }, this.ledger.sheets.edition[sheet])), ...this.phaseCell(phase), ...cpCells(numbers, uses, { parts: true }),
    ]);
    const table = simpleTable(title, heads, lines);
    table.classList.add('together');
    byId('rules-together').replaceChildren(el('div', { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': title }, lines.length ? table : nothing('Nothing that is compared changes an attack of this detachment’s units here: the numbers behind the targets and phases say where something does.')), togetherNote());
  }

  /** A column of phases where both are shown. */
  phaseHead() {
    return this.state.phase === 'all' ? [['Phase']] : [];
  }

  phaseCell(phase) {
    return this.state.phase === 'all' ? [PHASE_NAMES[phase] ?? phase] : [];
  }

  answer(detachment, best) {
    const place = byId('rules-answer');
    if (!best) { place.replaceChildren(nameOf(detachmentWords(detachment), 120), this.target ? ` adds nothing that is compared ${againstWords('attacker', this.target)}.` : '.'); return; }
    const use = best.uses.find(({ gained }) => gained === best.most);
    place.replaceChildren(el('strong', {}, sheetLink(this.ledger, best.sheet)), ' gains most in ', nameOf(detachmentWords(detachment), 120), ` ${againstWords('attacker', this.target)}: `,
      el('strong', {}, `${signedPoints(use.gained)} points’ worth of wounds for ${use.cp} CP`), `, ${decimal(use.damage, 2)} wounds in all.`);
  }

  save() {
    const rows = this.rows.flatMap((row) => row.uses.map((use) => ({ ...row, ...use })));
    const { sheets } = this.ledger;
    const columns = [
      { id: 'detachment', value: ({ detachment }) => detachment.name }, { id: 'faction', value: ({ detachment }) => detachment.faction }, { id: 'edition', value: ({ detachment }) => detachment.edition }, { id: 'unit', value: ({ sheet }) => sheets.name[sheet] }, { id: 'phase', value: ({ phase }) => phase }, { id: 'target', value: () => this.target.name },
      { id: 'cp', value: ({ cp }) => cp }, { id: 'parts', value: ({ parts }) => parts.map(({ name }) => name).join(' + ') }, { id: 'points_lost_without', value: ({ parts }) => parts.map(({ lost }) => lost).join(' + ') }, { id: 'effect', value: ({ effect }) => effect }, { id: 'points_gained', value: ({ gained }) => gained }, { id: 'expected_damage', value: ({ damage }) => damage },
    ];
    download('warledger-combinations.csv', csvOf(columns, rows));
  }
}

/** The numbers of CP with which some unit can do more than with fewer. */
const numbersOfCp = (units) => Array.from({ length: MOST_CP + 1 }, (_, cp) => cp).filter((cp) => units.some(({ uses }) => uses.some((use) => use.cp === cp)));

const cpHeads = (numbers) => numbers.map((cp) => [`${cp} CP`, 'number cp-cell']);

/** For each number of CP the points gained, and with `parts` what each carries; a dot where no more can be done than with
 *  fewer. */
const cpCells = (numbers, uses, { parts }) => numbers.map((cp) => {
  const use = uses.find((one) => one.cp === cp);
  if (!use) return noMore();
  const gained = el('b', {}, signedPoints(use.gained));
  if (!parts) return gained;
  const items = use.parts.map(({ name, lost }) => el('li', {}, nameOf(name, 60), ' ', el('span', { class: 'carried', title: `Without it ${signedPoints(lost)} points fewer` }, signedPoints(lost))));
  return el('div', { title: use.effect }, gained, el('ul', { class: 'parts' }, ...items));
});

const noMore = () => el('span', { class: 'dim', title: 'No more can be done than with fewer CP' }, el('span', { ariaHidden: 'true' }, '·'), el('span', { class: 'unseen' }, 'no more than with fewer'));

const togetherNote = () => el('p', { class: 'note' }, 'In bold the points’ worth of wounds that one activation takes off more than without any rule of the detachment; under it each part with what is lost if it alone is left out. A dot: nothing more can be done than with fewer CP. Every condition is taken to hold; plain scenario, smallest size.');
