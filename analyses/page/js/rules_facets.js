// Which rows of rules the filters let through, how many each option of a filter would let through, and what to say where
// there is none.

/** The filters of rules one by one. `of`: the options under which a group stands, null where the filter isn't for its
 *  side; `any`: the option for all. */
function ruleFacets(ledger, rules, state) {
  const isWanted = wantedUsers(ledger, state.legends, state.situation);
  const legends = (sheet) => sheet >= 0 && ledger.sheets.availability[sheet] === 'legends';
  return {
    side: { of: ({ use }) => [use.side] },
    target: { of: ({ use, opponent }) => (use.side === 'attacker' ? [ledger.targets[opponent].id] : null) },
    attacker: { of: ({ use, opponent }) => (use.side === 'defender' ? [ledger.attackers[opponent].id] : null) },
    phase: { any: 'all', of: ({ use, phase }) => (use.side === 'attacker' ? [phase] : null) },
    legends: { of: ({ use }) => (legends(use.leader) ? ['show'] : ['show', 'hide']) },
    kind: { any: 'all', of: ({ use }) => [use.kind] },
    faction: { any: ANY, of: ({ use }) => [use.faction] },
    detachment: { any: ANY, of: ({ use }) => [use.detachment?.id] },
    edition: { any: ANY, of: ({ use }) => [use.edition] },
    cost: { any: ANY, of: ({ use }) => Object.keys(COSTS).filter((id) => COSTS[id][1](use)) },
    situation: { any: ANY, of: (group) => rules.situationsOf(group) },
    zeros: { of: (group) => (isNoGain(rules.best(group, isWanted).gained) ? ['show'] : ['show', 'hide']) },
  };
}
const SETTINGS = new Set(['side', 'target', 'attacker', 'phase', 'legends']); // what is compared; the rest chooses among it

const isLet = ({ any, of }, value, group) => value === any || (of(group)?.includes(value) ?? true);

/** The groups that pass, how many stand under what is compared, and for each filter and option how many would pass if it
 *  were chosen. */
function facetted(ledger, rules, state) {
  const facets = Object.entries(ruleFacets(ledger, rules, state));
  const matches = matcher(state.q);
  const counts = Object.fromEntries(facets.map(([name]) => [name, new Map()]));
  const add = (name, option) => counts[name].set(option, (counts[name].get(option) ?? 0) + 1);
  const found = { groups: [], compared: 0, hiddenBySearch: 0, counts };
  for (const group of rules.groups) {
    const failed = firstTwo(facets, ([name, facet]) => !isLet(facet, state[name], group));
    if (!failed.some(([name]) => SETTINGS.has(name))) found.compared += 1; // those come first
    if (failed.length > 1) continue;
    if (!matches(group.use.searchable)) { if (!failed.length) found.hiddenBySearch += 1; continue; }
    if (!failed.length) found.groups.push(group);
    for (const [name, { any, of }] of failed.length ? failed : facets) {
      for (const option of of(group) ?? []) add(name, option);
      if (any !== undefined) add(name, any);
    }
  }
  return found;
}

/** The first two that a test holds for: whether one alone hides a row needs no more. */
function firstTwo(items, holds) {
  const found = [];
  for (const item of items) {
    if (holds(item)) found.push(item);
    if (found.length === 2) break;
  }
  return found;
}

const labelOf = (name) => document.querySelector(`select[data-state="${name}"]`).labels[0].textContent;

/** Each option of the filters with how many rows it would give; the counts of other filters go. */
function markOptions(counts) {
  for (const option of document.querySelectorAll('option[data-words]')) option.textContent = option.dataset.words;
  for (const [name, ofOption] of Object.entries(counts)) {
    for (const option of document.querySelector(`select[data-state="${name}"]`).options) {
      option.dataset.words ??= option.textContent;
      option.textContent = `${option.dataset.words} (${integer(ofOption.get(option.value) ?? 0)})`;
    }
  }
}

/** Why no row stands there: what the ledger has none of at all, else which filters hide what it has. */
function noRuleWords(ledger, rules, state, found) {
  if (!rules.groups.length) return 'No rule of this ledger’s sources is compared: they carry no rules texts, or none that changes an attack in words that are understood. Put texts under raw/ and run again.';
  const facets = ruleFacets(ledger, rules, state);
  const kind = state.kind === 'all' ? 'rules' : RULE_KINDS[state.kind][1].toLowerCase();
  const lacks = (...names) => !rules.groups.some((group) => names.every((name) => isLet(facets[name], state[name], group)));
  const side = state.side === 'attacker' ? 'for a unit that attacks' : 'for a unit that is attacked';
  const whose = () => nameOf(state.faction, 60);
  if (lacks('kind')) return [`This ledger has no ${kind} whose effect could be compared. `, ...whyNone(ledger, state.kind)];
  if (lacks('kind', 'side')) return `This ledger has no ${kind} whose effect could be compared ${side}. Choose the other side.`;
  if (lacks('kind', 'faction')) return [`This ledger has no ${kind} of `, whose(), ' whose effect could be compared. Choose another kind or faction.'];
  if (lacks('kind', 'side', 'faction')) return [`This ledger has no ${kind} of `, whose(), ` whose effect could be compared ${side}. Choose the other side, or another kind or faction.`];
  return hiddenWords(kind, facets, state, found);
}

/** What the sources have of a kind of texts, and what helps. */
function whyNone(ledger, kind) {
  if (kind === 'leader') return ['Leaders need the pages that say whom they lead: put them under raw/ and run again.'];
  const [sum] = coverageBy(ledger.coverage.filter((row) => row.kind === kind), (row) => row.kind);
  const link = el('a', { href: addressWith({ view: 'quality' }) }, 'Data quality');
  const words = RULE_KINDS[kind][1].toLowerCase();
  if (!sum) return [`No source carries texts of ${words} about damage: put pages that print them under raw/ and run again.`];
  const read = sum.modelled + sum.partly;
  const texts = countOf(sum.about_damage, ['text', 'texts']);
  return [read ? `Its sources carry ${texts} of ${words} about damage, of which ${integer(read)} could be read; by none of them does a unit with known equipment gain anything here. ` : `Its sources carry ${texts} of ${words} about damage, of which none could be read. `, link, ' shows what was read of each kind.'];
}

/** Which filters alone hide how many rows. */
function hiddenWords(kind, facets, state, { counts, hiddenBySearch }) {
  const some = (name) => [...counts[name].values()].reduce((most, count) => Math.max(most, count), 0);
  const hiding = Object.keys(facets).filter((name) => name !== 'kind' && some(name)).map((name) => labelOf(name));
  if (hiddenBySearch) hiding.unshift('Search');
  if (!hiding.length) return `The ledger has such ${kind}, but several filters together leave none: “Clear filters” shows them.`;
  return `The ledger has such ${kind}, but none under these filters. Changing one of these shows some: ${hiding.join(', ')}.`;
}
