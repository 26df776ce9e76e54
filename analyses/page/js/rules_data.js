// What rules add to the units that may use them: the data file of rules, and what the views of rules share.

const RULE_KINDS = {
  stratagem: ['Stratagem', 'Stratagems'], enhancement: ['Enhancement', 'Enhancements'], detachment_rule: ['Detachment rule', 'Detachment rules'],
  faction_rule: ['Faction rule', 'Faction rules'], ability: ['Ability', 'Abilities'], leader: ['Leader', 'Leaders'],
};
const PRICED_IN = { stratagem: 'cp', enhancement: 'points', leader: 'points' };

/** The data file: ways to use rules, and for each way, phase and opponent a group of users, the one that gains most first. */
function readRules(raw, ledger) {
  const { sheets, detachments } = ledger;
  const cents = (value) => (value === null ? NaN : value / raw.cents);
  const told = Object.fromEntries(['side', 'kind', 'name', 'label', 'faction', 'edition', 'cost_kind', 'detachment', 'owners'].map((name) => [name, decoded(raw.uses[name])]));
  const uses = raw.uses.source.map((source, use) => {
    const of = (name) => told[name][use];
    const detachment = detachments.find(({ id }) => id === of('detachment')) ?? null;
    return {
      use, source, detachment, key: `${source}.${of('side')[0]}.${raw.uses.way[use]}`, way: raw.uses.way[use], cost: raw.uses.cost[use], costKind: of('cost_kind'),
      side: of('side'), kind: of('kind'), name: of('name'), label: of('label'), faction: of('faction'), edition: of('edition'), owners: of('owners'),
      leader: raw.uses.sheet[use], assumes: raw.uses.assumes[use], leftOut: raw.uses.left_out[use],
      searchable: folded([of('name'), of('label'), of('faction'), detachment?.name, of('owners')].filter(Boolean).join(' ')),
    };
  });
  const phases = decoded(raw.groups.phase);
  const effects = decoded(raw.rows.effect);
  let use = 0;
  let from = 0;
  const groups = raw.groups.use.map((step, index) => {
    use += step;
    const group = { use: uses[use], phase: phases[index], opponent: raw.groups.opponent[index], users: raw.groups.users[index], mean: cents(raw.groups.mean[index]), from, to: from + raw.groups.rows[index] };
    from = group.to;
    return group;
  });
  const user = (group, row) => ({ group, use: group.use, phase: group.phase, sheet: raw.rows.sheet[row], gained: cents(raw.rows.gained[row]), bar: cents(raw.rows.bar[row]), effect: effects[row] });
  let bySheet = null;
  return {
    uses, groups, byKey: new Map(uses.map((one) => [one.key, one])),
    nameRank: ranked(uses.map((one) => one.name)), factionRank: ranked(uses.map((one) => one.faction ?? '')),
    usersOf: (group) => Array.from({ length: group.to - group.from }, (_, place) => user(group, group.from + place)),
    /** The user that gains most, of those wanted; of all where none of them is. */
    best: (group, isWanted) => {
      let row = group.from;
      while (row < group.to && !isWanted(raw.rows.sheet[row])) row += 1;
      return user(group, row < group.to ? row : group.from);
    },
    /** What a datasheet gains by rules, of all groups that carry it. */
    ofSheet: (sheet) => {
      if (!bySheet) {
        bySheet = sheets.id.map(() => []);
        for (const group of groups) for (let row = group.from; row < group.to; row += 1) bySheet[raw.rows.sheet[row]].push([group, row]);
      }
      return bySheet[sheet].map(([group, row]) => user(group, row));
    },
  };
}

/** What is gained for each CP, or for each 100 points; NaN where the rule isn't paid so. */
const perCost = (use, gained, costKind) => (use.costKind !== costKind || !use.cost ? NaN : ((costKind === 'cp' ? 1 : 100) * gained) / use.cost);

/** Points gained, with a true minus: a rule can do harm. */
const signedPoints = (value) => (isNothing(value) ? NONE : value <= -0.05 ? `−${decimal(-value, 1)}` : value < 0.05 ? (value > 0 ? '<0.1' : '0') : decimal(value, 1));

function costWords({ costKind, cost }) {
  if (costKind === 'none') return 'free';
  if (isNothing(cost)) return NONE;
  return costKind === 'cp' ? `${cost} CP` : `${integer(cost)} pts`;
}

const detachmentWords = ({ name, faction, edition }) => `${shortened(name, 60)} (${[faction && shortened(faction, 40), edition].filter(Boolean).join(', ')})`;

/** Whose a rule is: its faction, and its detachment or, of an ability, the units that have it. */
const ownerWords = (use) => [use.faction ?? (use.kind === 'stratagem' ? 'Core' : 'Several'), use.detachment?.name ?? use.owners].filter(Boolean).join(' · ');

/** Whom a state sets a rule's side against: an archetype, or for the defender a reference attacker. */
const opponentOf = (ledger, state, side) => (side === 'attacker' ? ledger.targets : ledger.attackers).find(({ id }) => id === state[side === 'attacker' ? 'target' : 'attacker']);

/** The opponent within a sentence. */
const againstWords = (side, opponent) => (side === 'attacker' ? `against ${lowered(opponent.head)}` : `when attacked by ${lowered(opponent.short)}`);

/** A rule's name as a link that opens what is assumed and who gains by it; `more` of the state may change with it. */
const ruleLink = (use, more = {}) => el('a', { class: 'sheet-link', href: addressWith({ view: 'rules', show: 'single', rule: use.key, ...more }) }, nameOf(use.name));
