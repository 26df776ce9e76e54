// Units ranked by what they do for their price, and the selection of outcomes that the other unit views share.

const narrow = window.matchMedia('(max-width: 40rem)');

/** Rows under a state's target, phase, scenario, edition and Legends: a unit's row of the scenario, else its plain one. */
function outcomesUnder(ledger, state, target = state.target) {
  const { outcomes, units, targets, scenarios, lookups } = ledger;
  const phases = indices(outcomes.phases, state.phase);
  const wanted = indices(targets.map((one) => one.id), target);
  const plain = lookups[scenarios.findIndex((one) => one.id === 'plain')] ?? lookups[0];
  const chosen = lookups[scenarios.findIndex((one) => one.id === state.scenario)] ?? plain;
  const rows = [];
  for (let unit = 0; unit < units.count; unit += 1) {
    if (state.edition && units.edition[unit] !== state.edition) continue;
    if (state.legends === 'hide' && units.availability[unit] === 'legends') continue;
    for (const phase of phases) {
      for (const one of wanted) {
        const key = keyOf(outcomes.phases.length, targets.length, unit, phase, one);
        const row = chosen[key] >= 0 ? chosen[key] : plain[key];
        if (row >= 0) rows.push(row);
      }
    }
  }
  return rows;
}

const indices = (ids, chosen) => (chosen === 'all' ? ids.map((_, index) => index) : [ids.indexOf(chosen)].filter((i) => i >= 0));

/** Which units pass the faction, the keyword, the points and, where asked for, the search. */
function unitFilter(ledger, state, { search = false } = {}) {
  const { units, sheets } = ledger;
  const least = state.pmin === ANY ? -Infinity : Number(state.pmin);
  const most = state.pmax === ANY ? Infinity : Number(state.pmax);
  const anyPrice = state.pmin === ANY && state.pmax === ANY; // else units without one are left out
  const keyword = folded(state.keyword.trim());
  const exact = new Set();
  const partial = new Set();
  if (keyword) {
    sheets.keywords.forEach((word, index) => {
      if (folded(word) === keyword) exact.add(index);
      if (folded(word).includes(keyword)) partial.add(index);
    });
  }
  const wanted = exact.size ? exact : partial; // "fly" is the keyword FLY, "infan" is whatever contains it
  const matches = matcher(search ? state.q : '');
  return (unit) => (!state.faction || units.faction[unit] === state.faction)
    && (anyPrice || (units.points[unit] !== null && units.points[unit] >= least && units.points[unit] <= most))
    && (!keyword || [...wanted].some((word) => units.held[unit].has(word)))
    && matches(units.searchable[unit]);
}

const isStandIn = (ledger, state, row) => ledger.scenarios[ledger.outcomes.scenario[row]].id !== state.scenario;

/** Entries are places in the ranking. */
function leaderboardColumns(ledger, state, ranking, largest) {
  const { outcomes, units, targets } = ledger;
  const rowOf = (entry) => ranking[entry];
  const unitOf = (entry) => outcomes.unit[ranking[entry]];
  const metric = (id, width) => ({
    ...numberColumn(id, METRICS[id].short, width, (entry) => outcomes[id][rowOf(entry)], METRICS[id].show, { help: METRICS[id].label }),
    ...(id === state.sort ? { fill: (cell, entry) => fillMetered(cell, outcomes[id][rowOf(entry)], largest, METRICS[id].show) } : {}),
  });
  const digits = integer(ranking.length).length;
  const columns = {
    rank: numberColumn('rank', '#', (narrow.matches ? 16 : 24) + 9 * Math.max(2, digits), (entry) => entry + 1, integer, { fixed: true, help: 'Place among all units under this target, phase, scenario and edition', class: 'dim' }),
    unit: { id: 'unit', label: narrow.matches ? 'Unit' : 'Unit and loadout used', width: narrow.matches ? 190 : undefined, least: 300, value: (entry) => units.name[unitOf(entry)], pin: true, header: true, class: 'name', fill: (cell, entry) => fillUnit(cell, ledger, state, rowOf(entry)) },
    faction: textColumn('faction', 'Faction', 148, (entry) => units.faction[unitOf(entry)], { class: 'dim' }),
    edition: textColumn('edition', 'Edition', 76, (entry) => units.edition[unitOf(entry)], { class: 'dim' }),
    models: numberColumn('models', 'Models', 76, (entry) => units.models[unitOf(entry)], integer),
    points: numberColumn('points', 'Points', 76, (entry) => units.points[unitOf(entry)], integer, { help: 'Price of the unit at this size' }),
    d100: { ...metric('d100', narrow.matches ? 96 : 104), file: 'damage_per_100_points' },
    pd100: { ...metric('pd100', 108), file: 'points_destroyed_per_100_points' },
    damage: { ...metric('damage', 96), file: 'expected_damage' },
    destroyed: numberColumn('destroyed', 'Models destroyed', 98, (entry) => outcomes.destroyed[rowOf(entry)], (v) => decimal(v, 2), { file: 'expected_models_destroyed' }),
    p: { ...metric('p', 104), file: 'p_destroy_unit' },
    target: textColumn('target', 'Target', 180, (entry) => targets[outcomes.target[rowOf(entry)]].name),
    phase: textColumn('phase', 'Phase', 90, (entry) => PHASE_NAMES[outcomes.phases[outcomes.phase[rowOf(entry)]]]),
  };
  // On a phone, and where targets and phases take columns, the figures stand next to the name and the rest after them.
  const order = narrow.matches || state.target === 'all'
    ? ['rank', 'unit', 'target', 'phase', 'd100', 'points', 'pd100', 'damage', 'destroyed', 'p', 'faction', 'edition', 'models']
    : ['rank', 'unit', 'faction', 'edition', 'target', 'phase', 'models', 'points', 'd100', 'pd100', 'damage', 'destroyed', 'p'];
  const shown = order.filter((id) => (id !== 'target' || state.target === 'all') && (id !== 'phase' || state.phase === 'all'));
  // A phone shows one figure beside the name: the one that the rows are sorted by.
  if (narrow.matches && columns[state.sort]?.number) return ['rank', 'unit', state.sort, ...shown.slice(2).filter((id) => id !== state.sort)].map((id) => columns[id]);
  return shown.map((id) => columns[id]);
}

/** The unit's name with its tags, and the loadout that the figures stand for on a second line. */
function fillUnit(cell, ledger, state, row) {
  const { units, outcomes } = ledger;
  const unit = outcomes.unit[row];
  const loadout = outcomes.loadouts[outcomes.loadout[row]] ?? NONE;
  cell.append(nameLine(sheetLink(ledger, units.sheet[unit]), ...unitTags(ledger, state, row)), el('div', { class: 'under', title: loadout }, shortened(loadout, 900)));
  cell.title = [units.name[unit], units.collection[unit], `${units.edition[unit]} edition`].filter(Boolean).join(' · ');
}

function unitTags(ledger, state, row) {
  const { units, outcomes } = ledger;
  const unit = outcomes.unit[row];
  const edition = units.edition[unit];
  return [
    ledger.sheets.inEditions.has(units.sheet[unit]) && tagOf(edition, 'This unit stands in the ledger in more than one edition', 'edition'),
    units.ruleset[unit] !== edition && tagOf(`${units.ruleset[unit]} rules`, 'Computed under the rules of another edition'),
    availabilityTag(units.availability[unit]),
    isStandIn(ledger, state, row) && tagOf('plain', 'The chosen scenario changes nothing for this unit here; its plain result stands'),
  ].filter(Boolean);
}

function availabilityTag(availability) {
  if (availability === 'legends') return tagOf('Legends', 'No longer in tournament play');
  if (availability === 'virtual') return tagOf('part', 'Part of another datasheet, not fielded by itself');
  return null;
}

/** CSV says in words what the table says by a tag or a second line. */
const filedColumns = ({ outcomes, scenarios, units }, ranking) => [
  { id: 'loadout', value: (entry) => outcomes.loadouts[outcomes.loadout[ranking[entry]]] },
  { id: 'scenario', value: (entry) => scenarios[outcomes.scenario[ranking[entry]]].id },
  { id: 'availability', value: (entry) => units.availability[outcomes.unit[ranking[entry]]] },
];

class Leaderboard {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.orders = new Orders(ledger);
    this.table = new LedgerTable(byId('leaderboard-table'), { label: 'Units ranked per point', onSort: (id) => this.sort(id), deep: true });
    byId('leaderboard-csv').addEventListener('click', () => this.save());
    narrow.addEventListener('change', () => this.state && this.show(this.state));
  }

  sort(id) {
    const falling = !['unit', 'faction', 'edition', 'target', 'phase'].includes(id);
    const usual = falling ? 'desc' : 'asc';
    const turned = this.state.dir === 'desc' ? 'asc' : 'desc';
    this.update({ sort: id, dir: this.state.sort === id ? turned : usual });
  }

  show(state) {
    this.state = state;
    const { ledger } = this;
    const { outcomes } = ledger;
    const ranking = this.ranking(state);
    const passes = unitFilter(ledger, state, { search: true });
    const passing = Uint8Array.from({ length: ledger.units.count }, (_, unit) => (passes(unit) ? 1 : 0));
    this.entries = Int32Array.from(ranking.keys()).filter((entry) => passing[outcomes.unit[ranking[entry]]]);
    const figures = METRICS[state.sort] ? outcomes[state.sort] : null;
    const largest = figures ? this.entries.reduce((most, entry) => Math.max(most, figures[ranking[entry]] || 0), 0) : 0;
    this.columns = leaderboardColumns(ledger, state, ranking, largest);
    byId('leaderboard-count').textContent = `${integer(this.entries.length)} of ${integer(ranking.length)} rows`;
    this.answer(state);
    this.table.show({
      columns: this.columns, rows: this.entries, sort: state.sort, dir: state.dir,
      empty: ranking.length ? 'No unit passes these filters. Clear one, or try fewer letters in the search.' : 'The ledger has no outcome for this phase and edition.',
    });
  }

  /** The whole order, kept until something other than search, faction, keyword or points changes. */
  ranking(state) {
    const key = JSON.stringify([state.target, state.phase, state.scenario, state.edition, state.legends, state.sort, state.dir]);
    if (key !== this.rankedBy) {
      this.rankedBy = key;
      this.ranked = this.orders.of(outcomesUnder(this.ledger, state), state.sort, state.dir);
    }
    return this.ranked;
  }

  /** The first row as a sentence. */
  answer(state) {
    const place = byId('leaderboard-answer');
    const { units, outcomes, targets } = this.ledger;
    const first = this.ranked[this.entries[0]];
    const metric = METRICS[state.sort];
    if (first === undefined || !metric || state.dir === 'asc' || isNothing(outcomes[state.sort][first])) {
      place.textContent = 'What each unit’s attacks are expected to do to the chosen target, and what that is worth for its price.';
      return;
    }
    const unit = outcomes.unit[first];
    const points = units.points[unit] === null ? 'no price' : `${integer(units.points[unit])} points`;
    place.replaceChildren(
      el('strong', {}, sheetLink(this.ledger, units.sheet[unit])), ' (', nameOf(units.faction[unit], 40), `, ${points}) leads against `,
      `${lowered(targets[outcomes.target[first]].head)}: `, el('strong', {}, metric.show(outcomes[state.sort][first])),
      ` ${metric.words} in the ${PHASE_NAMES[outcomes.phases[outcomes.phase[first]]].toLowerCase()} phase.`,
    );
  }

  save() {
    download('warledger-units.csv', csvOf([...this.columns, ...filedColumns(this.ledger, this.ranked)], this.entries));
  }
}

const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);
