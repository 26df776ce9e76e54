// Units ranked by what they destroy for their price, and the selection of outcomes that the other unit views share.

const narrow = window.matchMedia('(max-width: 40rem)');

/** Rows under a state's target, phase, scenario and edition: a unit's row of the scenario, else its plain one. */
function outcomesUnder(ledger, state, target = state.target) {
  const { outcomes, units, targets, scenarios, lookups } = ledger;
  const phases = indices(outcomes.phases, state.phase);
  const wanted = indices(targets.map((one) => one.id), target);
  const plain = lookups[scenarios.findIndex((one) => one.id === 'plain')] ?? lookups[0];
  const chosen = lookups[scenarios.findIndex((one) => one.id === state.scenario)] ?? plain;
  const rows = [];
  for (let unit = 0; unit < units.count; unit += 1) {
    if (state.edition && units.edition[unit] !== state.edition) continue;
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

/** Which units pass the faction, the keyword and, where asked for, the search. */
function unitFilter(ledger, state, { search = false } = {}) {
  const { units } = ledger;
  const keyword = folded(state.keyword.trim());
  const exact = new Set();
  const partial = new Set();
  if (keyword) {
    units.keywords.forEach((word, index) => {
      if (folded(word) === keyword) exact.add(index);
      if (folded(word).includes(keyword)) partial.add(index);
    });
  }
  const wanted = exact.size ? exact : partial; // "fly" is the keyword FLY, "infan" is whatever contains it
  const matches = matcher(search ? state.q : '');
  return (unit) => (!state.faction || units.faction[unit] === state.faction)
    && (!keyword || [...wanted].some((word) => units.held[unit].has(word)))
    && matches(units.searchable[unit]);
}

const isStandIn = (ledger, state, row) => ledger.scenarios[ledger.outcomes.scenario[row]].id !== state.scenario;

/** Ties go to more damage per point, then to the alphabet: the same order in every browser. */
const outcomeTies = ({ outcomes, units }) => [
  (a, b) => (outcomes.pd100[b] - outcomes.pd100[a]) || 0,
  (a, b) => (outcomes.d100[b] - outcomes.d100[a]) || 0,
  (a, b) => units.nameRank[outcomes.unit[a]] - units.nameRank[outcomes.unit[b]],
  (a, b) => a - b,
];

function leaderboardColumns(ledger, state, largest) {
  const { outcomes, units, targets } = ledger;
  const unitOf = (entry) => outcomes.unit[entry.row];
  const metric = (id, width) => ({
    ...numberColumn(id, METRICS[id].short, width, (entry) => outcomes[id][entry.row], METRICS[id].show, { help: METRICS[id].label }),
    ...(id === state.sort ? { fill: (cell, entry) => fillMetered(cell, outcomes[id][entry.row], largest, METRICS[id].show) } : {}),
  });
  const columns = {
    rank: numberColumn('rank', '#', narrow.matches ? 42 : 50, (entry) => entry.rank, integer, { fixed: true, help: 'Place among all units under this target, phase, scenario and edition', class: 'dim' }),
    unit: { id: 'unit', label: 'Unit', width: narrow.matches ? 164 : 222, value: (e) => units.name[unitOf(e)], pin: true, header: true, class: 'name', fill: (cell, entry) => fillUnit(cell, ledger, state, entry.row) },
    faction: textColumn('faction', 'Faction', 148, (e) => units.faction[unitOf(e)], { class: 'dim' }),
    edition: textColumn('edition', 'Edition', 76, (e) => units.edition[unitOf(e)], { class: 'dim' }),
    models: numberColumn('models', 'Models', 72, (e) => units.models[unitOf(e)], integer),
    points: numberColumn('points', 'Points', 72, (e) => units.points[unitOf(e)], integer, { help: 'Price of the unit at this size' }),
    pd100: { ...metric('pd100', 122), file: 'points_destroyed_per_100_points' },
    d100: { ...metric('d100', 96), file: 'damage_per_100_points' },
    damage: { ...metric('damage', 96), file: 'expected_damage' },
    destroyed: numberColumn('destroyed', 'Models destroyed', 98, (e) => outcomes.destroyed[e.row], (v) => decimal(v, 2), { file: 'expected_models_destroyed' }),
    p: { ...metric('p', 104), file: 'p_destroy_unit' },
    target: textColumn('target', 'Target', 180, (e) => targets[outcomes.target[e.row]].name),
    phase: textColumn('phase', 'Phase', 90, (e) => PHASE_NAMES[outcomes.phases[outcomes.phase[e.row]]]),
    loadout: textColumn('loadout', 'Loadout used', undefined, (e) => outcomes.loadouts[outcomes.loadout[e.row]], { least: 220, class: 'dim' }),
  };
  // On a phone, and where targets and phases take columns, the figures stand next to the name and the rest after them.
  const order = narrow.matches || state.target === 'all'
    ? ['rank', 'unit', 'target', 'phase', 'pd100', 'points', 'd100', 'damage', 'destroyed', 'p', 'faction', 'edition', 'models', 'loadout']
    : ['rank', 'unit', 'faction', 'edition', 'target', 'phase', 'models', 'points', 'pd100', 'd100', 'damage', 'destroyed', 'p', 'loadout'];
  const shown = order.filter((id) => (id !== 'target' || state.target === 'all') && (id !== 'phase' || state.phase === 'all'));
  return shown.map((id) => columns[id]);
}

function fillUnit(cell, ledger, state, row) {
  const { units, outcomes } = ledger;
  const unit = outcomes.unit[row];
  const collection = units.collection[unit];
  cell.append(nameOf(units.name[unit]));
  if (isStandIn(ledger, state, row)) cell.append(' ', tagOf('plain', 'The chosen scenario changes nothing for this unit here; its plain result stands'));
  if (units.sharedName.has(unit)) cell.append(' ', tagOf(units.edition[unit], 'This name stands in the ledger more than once'));
  if (units.ruleset[unit] !== units.edition[unit]) cell.append(' ', tagOf(`${units.ruleset[unit]} rules`, 'Computed under the rules of another edition'));
  cell.title = [units.name[unit], collection, `${units.edition[unit]} edition`].filter(Boolean).join(' · ');
}

/** CSV says in words what the table says by a tag. */
const scenarioColumn = (ledger) => ({ id: 'scenario', value: (entry) => ledger.scenarios[ledger.outcomes.scenario[entry.row]].id });

function leaderboardKey(ledger, sort) {
  const { outcomes, units } = ledger;
  const ofUnit = { unit: units.nameRank, faction: units.factionRank, models: units.models, points: units.points };
  if (ofUnit[sort]) return (row) => ofUnit[sort][outcomes.unit[row]];
  if (sort === 'edition') return (row) => (units.edition[outcomes.unit[row]] === '10e' ? 0 : 1);
  if (sort === 'loadout') return (row) => outcomes.loadoutRank[outcomes.loadout[row]];
  return (row) => outcomes[sort][row];
}

class Leaderboard {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.table = new LedgerTable(byId('leaderboard-table'), { label: 'Units ranked per point', onSort: (id) => this.sort(id) });
    byId('leaderboard-csv').addEventListener('click', () => this.save());
    narrow.addEventListener('change', () => this.state && this.show(this.state));
  }

  sort(id) {
    const falling = !['unit', 'faction', 'edition', 'loadout', 'target', 'phase'].includes(id);
    const usual = falling ? 'desc' : 'asc';
    const turned = this.state.dir === 'desc' ? 'asc' : 'desc';
    this.update({ sort: id, dir: this.state.sort === id ? turned : usual });
  }

  show(state) {
    this.state = state;
    const { ledger } = this;
    const { outcomes } = ledger;
    const all = this.ranking(state);
    const passes = unitFilter(ledger, state, { search: true });
    const passing = Uint8Array.from({ length: ledger.units.count }, (_, unit) => (passes(unit) ? 1 : 0));
    this.rows = [];
    all.forEach((row, index) => { if (passing[outcomes.unit[row]]) this.rows.push({ row, rank: index + 1 }); });
    const figures = METRICS[state.sort] ? outcomes[state.sort] : null;
    const largest = figures ? this.rows.reduce((most, { row }) => (figures[row] > most ? figures[row] : most), 0) : 0;
    this.columns = leaderboardColumns(ledger, state, largest);
    byId('leaderboard-count').textContent = `${integer(this.rows.length)} of ${integer(all.length)} rows`;
    this.answer(state);
    this.table.show({
      columns: this.columns, rows: this.rows, sort: state.sort, dir: state.dir,
      empty: all.length ? 'No unit passes these filters. Clear one, or try fewer letters in the search.' : 'The ledger has no outcome for this phase and edition.',
    });
  }

  /** The whole order, kept until something other than search, faction or keyword changes. */
  ranking(state) {
    const key = JSON.stringify([state.target, state.phase, state.scenario, state.edition, state.sort, state.dir]);
    if (key !== this.rankedBy) {
      this.rankedBy = key;
      const rows = outcomesUnder(this.ledger, state);
      this.ranked = sortedRows(rows, leaderboardKey(this.ledger, state.sort), state.dir, ...outcomeTies(this.ledger));
    }
    return this.ranked;
  }

  /** The first row as a sentence. */
  answer(state) {
    const place = byId('leaderboard-answer');
    const { units, outcomes, targets } = this.ledger;
    const first = this.rows[0];
    const metric = METRICS[state.sort];
    if (!first || !metric || state.dir === 'asc' || isNothing(outcomes[state.sort][first.row])) {
      place.textContent = 'What each unit’s attacks are expected to do to the chosen target, and what that is worth for its price.';
      return;
    }
    const unit = outcomes.unit[first.row];
    const points = units.points[unit] === null ? 'no price' : `${integer(units.points[unit])} points`;
    place.replaceChildren(
      el('strong', {}, nameOf(units.name[unit])), ' (', nameOf(units.faction[unit], 40), `, ${points}) leads against `,
      `${lowered(targets[outcomes.target[first.row]].head)}: `, el('strong', {}, metric.show(outcomes[state.sort][first.row])),
      ` ${metricWords(state.sort)} in the ${PHASE_NAMES[outcomes.phases[outcomes.phase[first.row]]].toLowerCase()} phase.`,
    );
  }

  save() {
    download('warledger-units.csv', csvOf([...this.columns, scenarioColumn(this.ledger)], this.rows));
  }
}

const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);

const metricWords = (id) => ({
  pd100: 'points destroyed for each 100 points', d100: 'wounds taken for each 100 points',
  damage: 'wounds taken', p: 'chance to destroy the unit',
}[id]);
