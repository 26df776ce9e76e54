// Units ranked by what they do for their price, and the selection of outcomes that the other unit views share.

const OVERKILL = 0.5; // the chance of destroying the whole target above which more of it would show the unit better
const narrow = window.matchMedia('(max-width: 40rem)');

/** Rows under a state's target, phase, scenario, edition and Legends: a unit's row of the scenario, else its plain one. */
function outcomesUnder(ledger, state, target = state.target) {
  const { outcomes, units, targets, scenarios, lookups } = ledger;
  const phases = indices(outcomes.phases, state.phase);
  const wanted = indices(targets.map((one) => one.id), target);
  const plain = lookups[scenarios.findIndex((one) => one.id === 'plain')] ?? lookups[0];
  const chosen = lookups[scenarios.findIndex((one) => one.id === state.scenario)] ?? plain;
  const rows = new Int32Array(units.count * phases.length * wanted.length);
  let count = 0;
  for (let unit = 0; unit < units.count; unit += 1) {
    if (state.edition && units.edition[unit] !== state.edition) continue;
    if (state.legends === 'hide' && units.availability[unit] === 'legends') continue;
    for (const phase of phases) {
      for (const one of wanted) {
        const key = keyOf(outcomes.phases.length, targets.length, unit, phase, one);
        const row = chosen[key] >= 0 ? chosen[key] : plain[key];
        if (row >= 0) { rows[count] = row; count += 1; }
      }
    }
  }
  return rows.subarray(0, count);
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

/** How a metric is written: rounded figures look it. */
const showOf = (ledger, metric) => (ledger.rough ? roughly : METRICS[metric].show);

/** Entries are places in the ranking; ranks as of ranksOf. */
function leaderboardColumns(ledger, state, ranking, ranks, largest) {
  const { outcomes, units, targets } = ledger;
  const rowOf = (entry) => ranking[entry];
  const unitOf = (entry) => outcomes.unit[ranking[entry]];
  const metric = (id, width) => ({
    ...numberColumn(id, METRICS[id].short, width, (entry) => outcomes[id][rowOf(entry)], showOf(ledger, id), { help: explained(id) }),
    ...(id === state.sort ? { fill: (cell, entry) => fillMetered(cell, outcomes[id][rowOf(entry)], largest, showOf(ledger, id)) } : {}),
  });
  const digits = integer(ranking.length).length;
  const columns = {
    rank: numberColumn('rank', '#', (narrow.matches ? 16 : 24) + 9 * Math.max(2, digits), (entry) => ranks[entry] || null, integer, { fixed: true, help: 'Place among all units that have the figure, under this target, phase, scenario and edition', class: 'dim' }),
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
  const left = ledger.rough ? ['pd100', 'destroyed', 'p'] : [];
  const shown = order.filter((id) => (id !== 'target' || state.target === 'all') && (id !== 'phase' || state.phase === 'all') && !left.includes(id));
  // A phone shows one figure beside the name: the one that the rows are sorted by.
  if (narrow.matches && columns[state.sort]?.number) return ['rank', 'unit', state.sort, ...shown.slice(2).filter((id) => id !== state.sort)].map((id) => columns[id]);
  return shown.map((id) => columns[id]);
}

/** The unit's name with its tags, and the loadout that the figures stand for on a second line. */
function fillUnit(cell, ledger, state, row) {
  const { units, outcomes } = ledger;
  const unit = outcomes.unit[row];
  const loadout = outcomes.loadouts[outcomes.loadout[row]] ?? NONE;
  const tags = unitTags(ledger, state, row);
  const line = narrow.matches ? [[], tags] : [tags, []]; // a phone's name has the width for itself
  cell.append(nameLine(sheetLink(ledger, units.sheet[unit]), ...line[0]), el('div', { class: 'under', title: loadout }, ...line[1], shortened(loadout, 900)));
  if (tags.length) cell.append(el('div', { class: 'why' }, tags.map((tag) => `${tag.textContent}: ${lowered(tag.title)}`).join('. ')));
  cell.title = [units.name[unit], units.collection[unit], `${units.edition[unit]} edition`].filter(Boolean).join(' · ');
}

function unitTags(ledger, state, row) {
  const { units, outcomes } = ledger;
  const unit = outcomes.unit[row];
  const edition = units.edition[unit];
  return [
    state.edition === ANY && ledger.sheets.inEditions.has(units.sheet[unit]) && tagOf(edition, 'This unit stands in the ledger in more than one edition', 'edition'),
    units.ruleset[unit] !== edition && tagOf(`${units.ruleset[unit]} rules`, 'Computed under the rules of another edition'),
    availabilityTag(units.availability[unit]),
    ledger.standIn?.(unit) && tagOf(`${ledger.standIn(unit)} target`, 'Its own edition has no stat line of the target: another edition’s stands in'),
    outcomes.p[row] > OVERKILL && tagOf('overkill', `The whole target is destroyed with a chance of ${percent(outcomes.p[row])}: what the unit could do beyond it isn’t in its figures`),
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

/** The rank at each place of a ranking: equal figures share the best of theirs, what has no figure has rank 0. */
function ranksOf({ outcomes, units }, ranking, sort) {
  const ranks = new Int32Array(ranking.length);
  const figures = METRICS[sort] ? outcomes[sort] : null;
  for (let place = 0; place < ranking.length; place += 1) {
    const row = ranking[place];
    if (figures ? Number.isNaN(figures[row]) : sort === 'points' && units.points[outcomes.unit[row]] === null) break; // these stand last
    ranks[place] = place && figures && figures[row] === figures[ranking[place - 1]] ? ranks[place - 1] : place + 1;
  }
  return ranks;
}

/** How many rows are ranked and how many have no figure, of all rows and of those that the filters leave. */
function countWords([ranked, rest], [allRanked, allRest]) {
  const words = (some, all) => (ranked + rest === allRanked + allRest ? integer(all) : `${integer(some)} of ${integer(all)}`);
  return `${words(ranked, allRanked)} ranked${allRest ? `, ${words(rest, allRest)} without a price` : ''}`;
}

class Leaderboard {
  constructor(ledger, update) {
    this.whole = ledger;
    this.update = update;
    this.use('', ledger);
    this.table = new LedgerTable(byId('leaderboard-table'), { label: 'Units ranked for their points', onSort: (id) => this.sort(id), deep: true });
    byId('leaderboard-csv').addEventListener('click', () => this.save());
    narrow.addEventListener('change', () => this.shown && this.show(this.shown));
  }

  sort(id) {
    const falling = !['unit', 'faction', 'edition', 'target', 'phase'].includes(id);
    const usual = falling ? 'desc' : 'asc';
    const turned = this.state.dir === 'desc' ? 'asc' : 'desc';
    this.update({ sort: id, dir: this.state.sort === id ? turned : usual });
  }

  /** Rank by a ledger: the whole one, or that of a single unit as the target. */
  use(against, ledger) {
    this.against = against;
    this.ledger = ledger;
    this.orders = new Orders(ledger);
    this.rankedBy = null;
  }

  async show(state) {
    this.shown = state;
    const part = state.against ? await this.whole.unitTargets() : null;
    if (this.shown !== state) return; // another target was chosen meanwhile
    const sheet = this.whole.sheets.place.get(state.against);
    const problem = part && noSuchTarget(this.whole, part, sheet);
    this.explain(part, sheet, problem);
    if (state.against !== this.against) this.use(state.against, !part || problem ? this.whole : ledgerAgainst(this.whole, part, sheet));
    if (!part) this.rank(state, 'The ledger has no outcome for this phase and edition.');
    else if (problem) this.rank(state, problem, true);
    else this.rank({ ...state, target: 'unit', scenario: 'plain', sort: METRICS[state.sort] && !['d100', 'damage'].includes(state.sort) ? 'd100' : state.sort }, part.complete.units ? 'No unit with known equipment attacks it in this phase and edition.' : tooMany('units', 'unit_versus_unit'));
  }

  /** What figures against a unit are, and where the weapons are. */
  explain(part, sheet, problem) {
    const place = byId('leaderboard-rough');
    place.hidden = !part || problem !== null;
    if (place.hidden) return;
    place.replaceChildren(`${roughWords(part)} Each unit at its smallest size with the best of its loadouts in question. `,
      el('a', { href: addressWith({ view: 'weapons' }) }, 'Every weapon against ', nameOf(this.whole.sheets.name[sheet], 60)));
  }

  rank(state, empty, nothing = false) {
    this.state = state;
    const { ledger } = this;
    const { outcomes } = ledger;
    const ranking = nothing ? new Int32Array(0) : this.ranking(state);
    const figures = METRICS[state.sort] ? outcomes[state.sort] : null;
    const passes = unitFilter(ledger, state, { search: true });
    const passing = new Uint8Array(ledger.units.count);
    for (let unit = 0; unit < passing.length; unit += 1) passing[unit] = passes(unit) ? 1 : 0;
    // Loops, where a chain of calls for each of 100,000 rows would be felt.
    const entries = new Int32Array(ranking.length);
    const ranks = nothing ? [] : this.ranks;
    let count = 0;
    let shown = 0;
    let largest = 0;
    for (let entry = 0; entry < ranking.length; entry += 1) {
      const row = ranking[entry];
      if (!passing[outcomes.unit[row]]) continue;
      entries[count] = entry;
      count += 1;
      if (ranks[entry]) shown += 1;
      if (figures?.[row] > largest) largest = figures[row];
    }
    this.entries = entries.subarray(0, count);
    this.columns = leaderboardColumns(ledger, state, ranking, ranks, largest);
    const ranked = nothing ? 0 : this.known;
    say('leaderboard-count', countWords([shown, count - shown], [ranked, ranking.length - ranked]));
    this.answer(state);
    this.table.show({
      columns: this.columns, rows: this.entries, sort: state.sort, dir: state.dir,
      empty: ranking.length ? 'No unit passes these filters. Clear one, or try fewer letters in the search.' : empty,
    });
  }

  /** The whole order, kept until something other than search, faction, keyword or points changes. */
  ranking(state) {
    const key = JSON.stringify([state.target, state.phase, state.scenario, state.edition, state.legends, state.sort, state.dir]);
    if (key !== this.rankedBy) {
      this.rankedBy = key;
      this.ranked = this.orders.of(outcomesUnder(this.ledger, state), state.sort, state.dir);
      this.ranks = ranksOf(this.ledger, this.ranked, state.sort);
      this.known = this.ranks.findIndex((rank) => rank === 0);
      if (this.known < 0) this.known = this.ranks.length;
    }
    return this.ranked;
  }

  /** The first row as a sentence. */
  answer(state) {
    const place = byId('leaderboard-answer');
    const { units, outcomes, targets } = this.ledger;
    const first = this.entries.length ? this.ranked[this.entries[0]] : undefined;
    const metric = METRICS[state.sort];
    if (first === undefined || !metric || state.dir === 'asc' || isNothing(outcomes[state.sort][first])) {
      place.textContent = 'What each unit’s attacks are expected to do to the chosen target, and what that is worth for its price.';
      return;
    }
    const unit = outcomes.unit[first];
    const points = units.points[unit] === null ? 'no price' : `${integer(units.points[unit])} points`;
    place.replaceChildren(
      el('strong', {}, sheetLink(this.ledger, units.sheet[unit])), ' (', nameOf(units.faction[unit], 40), `, ${points}) leads against `,
      wordsOfTarget(targets[outcomes.target[first]]), ': ', el('strong', {}, showOf(this.ledger, state.sort)(outcomes[state.sort][first])),
      ` ${metric.words} in the ${PHASE_NAMES[outcomes.phases[outcomes.phase[first]]].toLowerCase()} phase.`,
    );
  }

  save() {
    download('warledger-units.csv', csvOf([...this.columns, ...filedColumns(this.ledger, this.ranked)], this.entries));
  }
}

/** A target within a sentence: an archetype by its common name, a unit by its own. */
const wordsOfTarget = (target) => (target.isUnit ? nameOf(target.head) : lowered(target.head));

const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);
