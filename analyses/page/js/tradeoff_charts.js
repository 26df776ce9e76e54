// The two trade-offs: a metric against the price of the unit, and damage against durability. Each gives the points of the
// chart (unit, row, x, y), which direction of x is better, and what stands on the axes, in the table and in words.

const CEILING_STEPS = 200; // of equal ratio between the lowest and the highest price

/** One point for each unit that passes the filters: its better row where both phases are chosen. */
function tradeoffPoints(ledger, state, metric, place) {
  const { outcomes } = ledger;
  const passes = unitFilter(ledger, state);
  const best = new Map();
  for (const row of outcomesUnder(ledger, state)) {
    const unit = outcomes.unit[row];
    const value = outcomes[metric][row];
    if (Number.isNaN(value) || !passes(unit)) continue;
    const earlier = best.get(unit);
    if (earlier === undefined || value > outcomes[metric][earlier]) best.set(unit, row);
  }
  return [...best].map(([unit, row]) => ({ unit, row, ...place(unit, outcomes[metric][row]) })).filter(({ x, y }) => !isNothing(x) && !isNothing(y) && x > 0);
}

/** Each one with a higher y than everything at least as good by x, which is better the lower (1) or the higher (-1) it is. */
function paretoFront(points, better) {
  const front = [];
  const ordered = [...points].sort((a, b) => better * (a.x - b.x) || b.y - a.y || a.row - b.row);
  for (const point of ordered) {
    if (point.y <= 0) continue; // nothing is no merit, however cheap
    if (!front.length || point.y > front.at(-1).y) front.push(point);
  }
  return front;
}

/** Price of the unit against the chosen metric. */
class ByPrice {
  constructor(ledger) {
    this.ledger = ledger;
    this.better = 1;
    this.heading = 'What more points buy';
    this.tableHeading = 'The front, unit by unit';
    this.labels = ['left', 'above', 'below', 'right'];
  }

  async open(state) {
    this.metric = METRICS[state.metric];
    this.metricId = state.metric;
  }

  points(state) {
    return tradeoffPoints(this.ledger, state, state.metric, (unit, value) => ({ x: this.ledger.units.points[unit], y: value }));
  }

  /** The leaderboard has the rest. */
  listed(points, front) {
    return front;
  }

  note() {
    return ['No other shown unit does as well by the chosen metric for as few points. Where both phases are chosen, each unit stands with its better one. Every unit of the chart stands ', el('a', { href: addressWith({ view: 'leaderboard' }) }, 'in the leaderboard'), ' under the same filters.'];
  }

  empty(state) {
    return noUnitWords(this.ledger, state, state.target, null);
  }

  /** The most that a unit can reach at each price, by the target's size: as far as it lies within the chart. */
  ceiling(points, target) {
    const most = { d100: (x) => (100 * target.wounds) / x, pd100: (x) => (100 * target.points) / x, damage: () => target.wounds, p: () => NaN }[this.metricId];
    const prices = points.map(({ x }) => x);
    const [least, dearest] = [Math.min(...prices), Math.max(...prices)];
    const highest = 1.1 * Math.max(...points.map(({ y }) => y));
    const steps = Array.from({ length: CEILING_STEPS + 1 }, (_, step) => least * (dearest / least) ** (step / CEILING_STEPS));
    return steps.map((x) => [x, most(x)]).filter(([, y]) => y <= highest);
  }

  words(target) {
    return `${this.metric.label} against ${target.name}, by the price of the unit. The line joins the units that no other shown unit beats on both.`;
  }

  count(points, front) {
    return `${integer(points.length)} units with a price, ${integer(front.length)} on the front`;
  }

  name(points) {
    return `Scatter of ${points.length} units, points against ${this.metric.label.toLowerCase()}; the table below lists the front`;
  }

  axes() {
    return {
      x: { type: 'log', logBase: 2, name: 'Points of the unit (each step doubles)', min: ({ min }) => 0.45 * min, max: ({ max }) => 1.05 * max, minorSplitLine: { show: false } },
      y: { type: 'value', name: this.metric.label, min: 0, format: this.metricId === 'p' ? (share) => `${shareOfHundred(share)} %` : undefined },
    };
  }

  columns() {
    const { outcomes } = this.ledger;
    const figure = (id) => numberColumn(id, METRICS[id].short, 110, (point) => outcomes[id][point.row], METRICS[id].show);
    return [figure(this.metricId), numberColumn('points', 'Points', 80, (point) => point.x, integer), ...['damage', 'd100', 'pd100'].filter((id) => id !== this.metricId).map(figure)];
  }

  tip({ x, row }) {
    const { outcomes } = this.ledger;
    return [`${integer(x)} points, ${decimal(outcomes.damage[row], 2)} damage`, `${decimal(outcomes.d100[row], 2)} damage and ${decimal(outcomes.pd100[row], 1)} points destroyed per 100 points`, `${percent(outcomes.p[row])} to destroy the whole unit`];
  }
}

/** What a unit does for its points against what an enemy must bring for them. */
class ByDurability {
  constructor(ledger) {
    this.ledger = ledger;
    this.better = -1;
    this.heading = 'What strikes and what lasts';
    this.tableHeading = 'Every unit of the chart, the front first';
    this.labels = ['right', 'above', 'left'];
  }

  async open(state) {
    this.part = await this.ledger.durability();
    this.enemy = this.ledger.attackers.find(({ id }) => id === state.enemy) ?? null;
  }

  points(state) {
    const { units } = this.ledger;
    return tradeoffPoints(this.ledger, state, 'd100', (unit, value) => {
      const durable = this.part.row(units.sheet[unit]);
      return { x: value, y: durable < 0 ? NaN : this.part.per100(durable, this.enemy?.index ?? -1), durable };
    });
  }

  listed(points, front) {
    const onFront = new Set(front);
    this.onFront = onFront;
    return [...front, ...points.filter((point) => !onFront.has(point)).sort((a, b) => b.x - a.x || a.row - b.row)];
  }

  note() {
    return ['No other shown unit both strikes and lasts better for its points. Where both phases are chosen, each unit stands with its better one. What an enemy must bring is counted in points of its weapons that destroy the unit with a chance of 80 %; a unit without such a figure isn’t shown. ', el('a', { href: addressWith({ view: 'reading', entry: 'points-to-destroy-per-100-points' }) }, 'How to read it')];
  }

  empty(state) {
    if (!this.part.models.length) return 'This ledger has no figures of durability: no source gives the Toughness, Wounds and Save of a unit.';
    return noUnitWords(this.ledger, state, state.target, 'd100', 'No unit that passes these filters has both figures: clear one, or choose another attacker under “Durability against”.');
  }

  /** Neither axis is bounded by the price of a point. */
  ceiling() {
    return [];
  }

  words(target) {
    return `Damage per 100 points against ${target.name}, and what ${this.enemy ? `an enemy of ${lowered(this.enemy.short)}` : 'the median of the reference attackers'} must bring to destroy each 100 points of the unit. The line joins the units that no other shown unit beats on both.`;
  }

  count(points, front) {
    return `${integer(points.length)} units with both figures, ${integer(front.length)} on the front`;
  }

  name(points) {
    return `Scatter of ${points.length} units, damage per 100 points against the points an enemy must bring for each 100 points; the table below lists them`;
  }

  axes() {
    return {
      x: { type: 'value', name: 'Damage per 100 points', min: 0 },
      y: { type: 'log', logBase: 2, name: narrow.matches ? 'Points to destroy 100 of its points' : 'Points to destroy 100 of its points (each step doubles)', min: ({ min }) => 0.8 * min, max: ({ max }) => 1.1 * max, minorSplitLine: { show: false } },
    };
  }

  columns() {
    const { units } = this.ledger;
    return [
      { id: 'front', label: 'On the front', width: 84, value: (point) => this.onFront.has(point), fill: (cell, point) => { cell.textContent = this.onFront.has(point) ? 'yes' : ''; } },
      numberColumn('points', 'Points', 76, (point) => units.points[point.unit], integer),
      numberColumn('d100', METRICS.d100.short, 110, (point) => point.x, METRICS.d100.show),
      numberColumn('durability', 'Points to destroy 100 of its points', 140, (point) => point.y, integer),
    ];
  }

  tip({ x, y, unit }) {
    return [`${integer(this.ledger.units.points[unit])} points`, `${decimal(x, 2)} damage per 100 points`, `${integer(y)} points to destroy 100 points of it`];
  }
}
