// What rules add to the units that may use them: the data file of rules, and what the views of rules share.

const RULE_KINDS = {
  stratagem: ['Stratagem', 'Stratagems'], enhancement: ['Enhancement', 'Enhancements'], detachment_rule: ['Detachment rule', 'Detachment rules'],
  faction_rule: ['Faction rule', 'Faction rules'], ability: ['Ability', 'Abilities'], leader: ['Leader', 'Leaders'],
};
const PRICED_IN = { stratagem: 'cp', enhancement: 'points', leader: 'points' };

// Where an attack is compared: a tag, and what is taken to hold, in words that are true of either side.
const SITUATIONS = {
  plain: ['plain', 'nothing beyond the plain scenario'],
  cover: ['in cover', 'the attacked unit is in cover'],
  open: ['in the open', 'the attacked unit has no cover but by this rule'],
  charged: ['charged', 'the attacking unit has charged this turn'],
  stationary: ['stationary', 'the attacking unit has remained stationary'],
  half_range: ['half range', 'the attacked unit is within half range'],
};
const situationTag = (situation) => (situation === 'plain' ? null : tagOf(SITUATIONS[situation][0], `Compared where ${SITUATIONS[situation][1]}`, 'situation'));
/** Within a sentence; nothing for the plain scenario. */
const situationWords = (situation) => (situation === 'plain' ? '' : `where ${SITUATIONS[situation][1]}`);

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
  const situation = (row) => raw.situations[raw.rows.effect.codes[row]];
  let use = 0;
  let from = 0;
  const groups = raw.groups.use.map((step, index) => {
    use += step;
    const group = { use: uses[use], phase: phases[index], opponent: raw.groups.opponent[index], users: raw.groups.users[index], mean: cents(raw.groups.mean[index]), alike: raw.groups.alike[index], from, to: from + raw.groups.rows[index] };
    from = group.to;
    return group;
  });
  const rowsOf = (group) => Array.from({ length: group.to - group.from }, (_, place) => group.from + place);
  const isCurrent = (row) => isNothing(sheets.availability[raw.rows.sheet[row]]);
  /** How many of the users that are counted gain as much: Legends are counted where nobody else is a user. */
  const alike = (group, row) => {
    const first = rowsOf(group).find(isCurrent) ?? group.from;
    return raw.rows.gained[row] === raw.rows.gained[first] && isCurrent(row) === isCurrent(first) ? group.alike : 1;
  };
  const user = (group, row) => ({ group, use: group.use, phase: group.phase, sheet: raw.rows.sheet[row], gained: cents(raw.rows.gained[row]), bar: cents(raw.rows.bar[row]), effect: effects[row], situation: situation(row) });
  let bySheet = null;
  return {
    uses, groups, byKey: new Map(uses.map((one) => [one.key, one])),
    nameRank: ranked(uses.map((one) => one.name)), factionRank: ranked(uses.map((one) => one.faction ?? '')),
    situationsOf: (group) => [...new Set(rowsOf(group).map(situation))],
    /** Its users that are wanted, the one that gains most first; all where none of them is. */
    usersOf: (group, isWanted) => {
      const wanted = rowsOf(group).filter((row) => isWanted(raw.rows.sheet[row], situation(row)));
      return (wanted.length ? wanted : rowsOf(group)).map((row) => user(group, row));
    },
    /** The first of these, and how many users are its equals. */
    best: (group, isWanted) => {
      let row = group.from;
      while (row < group.to && !isWanted(raw.rows.sheet[row], situation(row))) row += 1;
      row = row < group.to ? row : group.from;
      return { ...user(group, row), alike: alike(group, row) };
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

/** Which users are shown: Legends only where they are, and those of a chosen situation. */
const wantedUsers = (ledger, legends, situation = ANY) => (sheet, own) => (legends === 'show' || ledger.sheets.availability[sheet] !== 'legends') && (situation === ANY || own === situation);

/** Whether a gain reads as 0: a rule that does harm, or one of a unit without a price, doesn't. */
const isNoGain = (gained) => gained <= 0 && gained > -0.05;

/** The user that gains most, or how many gain the same: none of these is the best. */
const bestUser = (ledger, { sheet, alike, use }) => (alike > 1 ? ruleLink(use, {}, `any of ${integer(alike)} users`) : sheetLink(ledger, sheet));

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
const ruleLink = (use, more = {}, words = use.name) => el('a', { class: 'sheet-link', href: addressWith({ view: 'rules', show: 'single', rule: use.key, ...more }) }, nameOf(words));
