// Points against damage, with the units that nothing beats on both. The table under the chart says the same in words
// and is what keyboards and screen readers reach.

const NAMES_ON_CHART = 26;

/** One point for each unit with a price: its better row where both phases are chosen. */
function tradeoffPoints(ledger, state) {
  const { outcomes, units } = ledger;
  const passes = unitFilter(ledger, state);
  const best = new Map();
  for (const row of outcomesUnder(ledger, state)) {
    const unit = outcomes.unit[row];
    if (units.points[unit] === null || !passes(unit)) continue;
    const earlier = best.get(unit);
    if (earlier === undefined || outcomes.damage[row] > outcomes.damage[earlier]) best.set(unit, row);
  }
  return [...best].map(([unit, row]) => ({ unit, row, points: units.points[unit], damage: outcomes.damage[row] }));
}

/** From cheap to dear, each one that does more damage than everything at most as dear. */
function paretoFront(points) {
  const front = [];
  const ordered = [...points].sort((a, b) => a.points - b.points || b.damage - a.damage || a.row - b.row);
  for (const point of ordered) {
    if (!front.length || point.damage > front.at(-1).damage) front.push(point);
  }
  return front;
}

/** The theme's colours, read where the style defines them. */
function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  return { ink: read('ink'), muted: read('muted'), rule: read('rule'), sheet: read('sheet'), accent: read('accent') };
}

class Tradeoff {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.chart = null;
    this.table = new LedgerTable(byId('tradeoff-table'), { label: 'Members of the Pareto front' });
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    new ResizeObserver(() => this.chart?.resize()).observe(byId('tradeoff-chart'));
  }

  show(state) {
    this.state = state;
    const target = this.ledger.targets.find((one) => one.id === state.target);
    this.target = target;
    this.points = tradeoffPoints(this.ledger, state);
    this.front = paretoFront(this.points);
    byId('tradeoff-answer').textContent = target
      ? `Price against expected damage to ${target.name}. The line joins the units that no other shown unit beats on both.`
      : 'The ledger has no target.';
    byId('tradeoff-count').textContent = `${integer(this.points.length)} units with a price, ${integer(this.front.length)} on the front`;
    this.table.show({ columns: this.columns(), rows: this.front, empty: 'No unit with a price passes these filters.' });
    this.draw();
  }

  columns() {
    const { units, outcomes } = this.ledger;
    return [
      { id: 'unit', label: 'Unit', width: narrow.matches ? 150 : 240, pin: true, header: true, class: 'name', fill: (cell, point) => fillUnit(cell, this.ledger, this.state, point.row) },
      numberColumn('points', 'Points', 80, (point) => point.points, integer),
      numberColumn('damage', 'Expected damage', 130, (point) => point.damage, METRICS.damage.show),
      numberColumn('d100', METRICS.d100.short, 120, (point) => outcomes.d100[point.row], METRICS.d100.show),
      numberColumn('pd100', METRICS.pd100.short, 130, (point) => outcomes.pd100[point.row], METRICS.pd100.show),
      textColumn('faction', 'Faction', 170, (point) => units.faction[point.unit], { class: 'dim' }),
      textColumn('loadout', 'Loadout used', undefined, (point) => outcomes.loadouts[outcomes.loadout[point.row]], { least: 240, class: 'dim' }),
    ];
  }

  async draw() {
    if (!this.points) return;
    const place = byId('tradeoff-chart');
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', `Scatter of ${this.points.length} units, points against expected damage; the table below lists the front`);
    const echarts = await charts();
    if (!this.chart) {
      this.chart = echarts.init(place, null, { renderer: 'canvas' });
      this.chart.on('click', ({ data }) => data?.point && this.open(data.point));
    }
    this.chart.setOption(this.option(), { notMerge: true });
  }

  open(point) {
    this.update({ view: 'leaderboard', q: shortened(this.ledger.units.name[point.unit], 200).replace('…', '') });
  }

  option() {
    const colours = themeColours();
    const dot = (point) => ({ value: [point.points, point.damage], point });
    const onFront = new Set(this.front);
    const axis = {
      axisLine: { lineStyle: { color: colours.rule } }, axisTick: { show: false },
      axisLabel: { color: colours.muted, hideOverlap: true, showMinLabel: false, showMaxLabel: false }, splitLine: { lineStyle: { color: colours.rule } },
      nameTextStyle: { color: colours.muted }, nameLocation: 'middle',
    };
    return {
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: 56, right: 28, top: 32, bottom: 52 },
      xAxis: { ...axis, type: 'log', logBase: 2, name: 'Points of the unit (each step doubles)', nameGap: 32, min: ({ min }) => 0.7 * min, max: ({ max }) => 1.05 * max, minorSplitLine: { show: false } },
      yAxis: { ...axis, type: 'value', name: 'Expected damage (wounds)', nameGap: 36, min: 0, axisLabel: { color: colours.muted } },
      dataZoom: [{ type: 'inside', xAxisIndex: 0, zoomOnMouseWheel: 'ctrl', moveOnMouseMove: 'shift', preventDefaultMouseMove: false, filterMode: 'none' }],
      // confine also keeps the library from drawing an arrow by markup with inline styles, which the policy refuses.
      tooltip: { trigger: 'item', confine: true, backgroundColor: colours.sheet, borderColor: colours.accent, textStyle: { color: colours.ink }, formatter: ({ data }) => (data?.point ? this.tip(data.point) : '') },
      series: [
        { type: 'line', step: 'end', data: this.front.map((point) => [point.points, point.damage]), symbol: 'none', silent: true, lineStyle: { color: colours.accent, width: 1.5, opacity: 0.7 } },
        { type: 'scatter', symbolSize: 7, data: this.points.filter((point) => !onFront.has(point)).map(dot), itemStyle: { color: colours.muted, opacity: 0.45 }, emphasis: { itemStyle: { color: colours.accent, opacity: 1 } } },
        {
          type: 'scatter', symbolSize: 11, data: this.front.map(dot), itemStyle: { color: colours.accent, borderColor: colours.sheet, borderWidth: 1.5 },
          label: { show: !narrow.matches, position: 'left', distance: 7, color: colours.ink, fontSize: 12, textBorderColor: colours.sheet, textBorderWidth: 3, formatter: ({ data }) => shortened(this.ledger.units.name[data.point.unit], NAMES_ON_CHART) },
          labelLayout: { hideOverlap: true, dx: 4, dy: -9 },
        },
      ],
    };
  }

  /** An element, not markup: names are text. */
  tip(point) {
    const { units, outcomes } = this.ledger;
    return el('div', { class: 'tip' },
      el('b', {}, nameOf(units.name[point.unit], 120)),
      el('div', {}, `${shortened(units.faction[point.unit], 60)} · ${units.edition[point.unit]} · ${units.models[point.unit] === 1 ? '1 model' : `${integer(units.models[point.unit])} models`}`),
      el('div', {}, `${integer(point.points)} points, ${decimal(point.damage, 2)} damage`),
      el('div', {}, `${decimal(outcomes.d100[point.row], 2)} damage and ${decimal(outcomes.pd100[point.row], 1)} points destroyed per 100 points`));
  }
}
