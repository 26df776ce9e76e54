// Factions or units against every target. A real table with coloured cells rather than a drawing: it reads aloud,
// prints, and each cell is a button.

const BEST_OF_FACTION = 5;
const UNITS_AT_ONCE = 30;

/** Each unit's value against each target; of several phases the better one. Rows that fail the filters are left out. */
function valuesByUnit(ledger, state) {
  const { outcomes, targets } = ledger;
  const passes = unitFilter(ledger, state, { search: true });
  const values = new Map();
  for (const row of outcomesUnder(ledger, state, 'all')) {
    const unit = outcomes.unit[row];
    const value = outcomes[state.metric][row];
    if (Number.isNaN(value)) continue;
    if (!values.has(unit)) values.set(unit, passes(unit) ? new Array(targets.length).fill(null) : null);
    const line = values.get(unit);
    const target = outcomes.target[row];
    if (line && (line[target] === null || value > line[target])) line[target] = value;
  }
  return [...values].filter(([, line]) => line).map(([unit, line]) => ({ unit, values: line }));
}

/** Faction rows: for each target the mean of the faction's best units against it. */
function factionLines(ledger, lines) {
  const byFaction = new Map();
  for (const line of lines) {
    const name = ledger.units.faction[line.unit];
    if (!byFaction.has(name)) byFaction.set(name, []);
    byFaction.get(name).push(line.values);
  }
  return [...byFaction].map(([name, members]) => ({
    name, faction: name, detail: `${members.length} units`,
    values: ledger.targets.map((_, target) => meanOfBest(members.map((values) => values[target]))),
  }));
}

function meanOfBest(values) {
  const best = values.filter((value) => value !== null).sort((a, b) => b - a).slice(0, BEST_OF_FACTION);
  return best.length ? best.reduce((sum, value) => sum + value, 0) / best.length : null;
}

const unitLines = (ledger, lines) => lines.map(({ unit, values }) => ({
  name: ledger.units.name[unit], faction: ledger.units.faction[unit], unit, values, detail: `${ledger.units.edition[unit]} · ${ledger.units.faction[unit]}`,
}));

/** Why no unit stands there: what the ledger has none of at all, else the filters, by default in general words. `metric`
 *  is null where a price is needed. */
function noUnitWords(ledger, state, target, metric, filtered = 'No unit passes these filters, though the ledger has some in this phase and edition. Clear the faction, keyword, points or search.') {
  const { units, outcomes } = ledger;
  if (!outcomes.count) return ledger.counts.units ? 'This ledger ranks no unit: the equipment of none is known. Data quality says why.' : 'This ledger has no unit: put units’ own pages under raw/, or fetch the community data set, and run again.';
  if (state.faction && !units.faction.includes(state.faction)) return 'This ledger ranks no unit of this faction: Data quality says why under “Unknown equipment”. Choose another faction.';
  const rows = Array.from(outcomesUnder(ledger, state, target));
  if (!rows.length) return 'No unit of this ledger attacks in this phase and edition. Choose another one.';
  if (!rows.some((row) => (metric ? !Number.isNaN(outcomes[metric][row]) : units.points[outcomes.unit[row]]))) return metric ? 'No unit here has a price, so none has a figure per point: choose “Expected damage” as the metric.' : 'No unit here has a price, so none stands in this chart: the heatmap shows expected damage without one.';
  return filtered;
}

const largestOf = (lines, target) => lines.reduce((most, line) => Math.max(most, line.values[target] ?? 0), 0);

/** Best first: by one target's value, or by the mean share of each column's best. */
function orderedLines(lines, order, columnBest) {
  const scoreOf = (line) => {
    if (order >= 0) return line.values[order] ?? -1;
    const shares = line.values.map((value, target) => (columnBest[target] > 0 ? (value ?? 0) / columnBest[target] : 0));
    return shares.reduce((sum, share) => sum + share, 0) / shares.length;
  };
  return lines
    .map((line) => ({ ...line, score: scoreOf(line) }))
    .sort((a, b) => b.score - a.score || collator.compare(a.name, b.name));
}

/** The share of the best that a cell's colour stands for: of its column, of the whole table, or null for no colour. */
function shareOf(value, scale, columnBest, most) {
  const best = { column: columnBest, absolute: most }[scale];
  if (best === undefined) return null;
  return best > 0 ? Math.min(1, value / best) : 0;
}

/** A colour of the scale at a share between 0 and 1, in the theme's own terms, and text that reads on it. */
function paint(element, share) {
  element.style.background = share < 0.5
    ? `color-mix(in oklab, var(--middle) ${(200 * share).toFixed(1)}%, var(--low))`
    : `color-mix(in oklab, var(--high) ${(200 * share - 100).toFixed(1)}%, var(--middle))`;
  element.style.color = share < 0.5 ? 'var(--ink-on-low)' : 'var(--ink-on-high)';
}

class Heatmap {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.shown = UNITS_AT_ONCE;
    byId('heatmap-more').addEventListener('click', () => this.more());
    byId('heatmap-csv').addEventListener('click', () => this.save());
  }

  /** More rows below those that stand; the first of them takes the focus that the button may lose. */
  more() {
    const before = this.shown;
    this.shown += 2 * UNITS_AT_ONCE;
    this.show(this.state);
    byId('heatmap-table').querySelector(`tbody tr:nth-child(${before + 1}) button`)?.focus();
  }

  save() {
    const columns = [
      { id: this.state.rows === 'units' ? 'unit' : 'faction', value: (line) => line.name },
      ...(this.state.rows === 'units' ? [{ id: 'faction', value: (line) => line.faction }, { id: 'edition', value: (line) => this.ledger.units.edition[line.unit] }] : []),
      ...this.ledger.targets.map((target) => ({ id: target.id, value: (line) => line.values[target.index] })),
    ];
    download(`warledger-heatmap-${this.state.metric}.csv`, csvOf(columns, this.lines));
  }

  show(state) {
    const { ledger } = this;
    if (this.state && this.state !== state) this.shown = UNITS_AT_ONCE; // another selection begins anew
    this.state = state;
    const byUnit = valuesByUnit(ledger, state);
    const all = state.rows === 'units' ? unitLines(ledger, byUnit) : factionLines(ledger, byUnit);
    const columnBest = ledger.targets.map((target) => largestOf(all, target.index));
    const order = ledger.targets.findIndex((target) => target.id === state.order);
    const lines = orderedLines(all, order, columnBest).slice(0, state.rows === 'units' ? this.shown : undefined);
    this.lines = lines;
    byId('heatmap-more').hidden = lines.length === all.length;
    byId('heatmap-left-out').textContent = leftOutWords(lines.length, all.length, ['unit', 'units']);
    byId('heatmap-csv').disabled = !lines.length;
    this.describe(state, all.length, lines);
    this.legend(state, columnBest);
    const box = byId('heatmap-table');
    if (!lines.length) {
      box.replaceChildren(el('p', { class: 'empty' }, noUnitWords(ledger, state, 'all', state.metric)));
      return;
    }
    const head = [...box.querySelectorAll('thead button')].indexOf(document.activeElement);
    box.replaceChildren(withOneStop(this.tableOf(state, lines, columnBest)));
    if (head >= 0) box.querySelectorAll('thead button')[head].focus({ preventScroll: true });
  }

  describe(state, total, lines) {
    const metric = METRICS[state.metric].label;
    byId('heatmap-answer').textContent = state.rows === 'units'
      ? `${metric} of the best units against each target.`
      : `${metric} of each faction against each target: the mean of its best five units there.`;
    say('heatmap-count', `${integer(lines.length)} of ${integer(total)} ${state.rows === 'units' ? 'units' : 'factions'}`);
  }

  legend(state, columnBest) {
    const most = Math.max(0, ...columnBest);
    byId('heatmap-legend').hidden = state.scale === 'plain';
    const ends = state.scale === 'column' ? ['0', '100 % of the column’s best'] : ['0', METRICS[state.metric].show(most)];
    byId('heatmap-legend').replaceChildren(ends[0], el('span', { class: 'ramp', ariaHidden: 'true' }), ends[1]);
  }

  tableOf(state, lines, columnBest) {
    const most = Math.max(0, ...columnBest);
    const show = METRICS[state.metric].show;
    const head = el('tr', {}, el('th', { scope: 'col', class: 'pin' }, state.rows === 'units' ? 'Unit' : 'Faction'), ...this.ledger.targets.map((target) => this.headOf(state, target)));
    const body = lines.map((line) => el('tr', {}, this.nameCell(line), ...line.values.map((value, index) => {
      return this.cellOf(state, line, this.ledger.targets[index], value, shareOf(value, state.scale, columnBest[index], most), show);
    })));
    const columns = el('colgroup', {}, el('col', { class: 'first' }), ...this.ledger.targets.map(() => el('col')));
    return el('table', { class: 'heat', 'aria-label': 'Heatmap' }, columns, el('thead', {}, head, this.bests(state, columnBest)), el('tbody', {}, ...body));
  }

  /** The value that is 100 % of each column. */
  bests(state, columnBest) {
    const { label, show } = METRICS[state.metric];
    return el('tr', { class: 'bests' }, el('th', { scope: 'row', class: 'pin', title: `The column’s best: ${label.toLowerCase()}` }, 'Best'), ...this.ledger.targets.map(({ index }) => el('th', {}, show(columnBest[index]))));
  }

  headOf(state, target) {
    const button = el('button', { type: 'button', class: 'sort', title: `Best first against: ${target.name}` }, target.head);
    button.addEventListener('click', () => this.update({ order: state.order === target.id ? 'mean' : target.id }));
    const cell = el('th', { scope: 'col' }, button, el('small', {}, target.detail));
    if (state.order === target.id) cell.setAttribute('aria-sort', 'descending');
    return cell;
  }

  nameCell(line) {
    const title = `${line.name} · ${line.detail}`;
    if (line.unit === undefined) return el('th', { scope: 'row', class: 'pin', title }, nameOf(line.name, 60));
    return el('th', { scope: 'row', class: 'pin unit', title }, sheetLink(this.ledger, this.ledger.units.sheet[line.unit], 60), el('small', {}, nameOf(line.detail, 60)));
  }

  cellOf(state, line, target, value, share, show) {
    if (value === null) return el('td', { class: 'none', title: 'Not among the outcomes' }, NONE);
    const part = share === null ? '' : `, ${shareOfHundred(share)} % of the best${state.scale === 'column' ? '' : ' of the table'}`;
    const words = `${shortened(line.name, 80)} against ${target.name}: ${show(value)}${part}`;
    const text = state.scale === 'column' ? shareOfHundred(share) : show(value).replace(' %', '%');
    const button = el('button', { type: 'button', title: words, 'aria-label': words }, text);
    button.addEventListener('click', () => this.update(line.unit === undefined
      ? { view: 'leaderboard', target: target.id, faction: line.faction, q: '', sort: state.metric, dir: 'desc' }
      : { view: 'datasheet', target: target.id, sheet: this.ledger.sheets.id[this.ledger.units.sheet[line.unit]] }));
    if (share !== null) paint(button, share);
    return el('td', {}, button);
  }
}
