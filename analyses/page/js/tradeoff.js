// Points against a metric, with the units that nothing beats on both. The table under the chart says the same in words
// and is what keyboards and screen readers reach.

const NAMES_ON_CHART = 26;
const CHART_LEFT = 64; // pixels, with the axis and its name
const LABEL_HEIGHT = 18;

/** One point for each unit with a price: its better row where both phases are chosen. */
function tradeoffPoints(ledger, state) {
  const { outcomes, units } = ledger;
  const passes = unitFilter(ledger, state);
  const best = new Map();
  for (const row of outcomesUnder(ledger, state)) {
    const unit = outcomes.unit[row];
    const value = outcomes[state.metric][row];
    if (units.points[unit] === null || Number.isNaN(value) || !passes(unit)) continue;
    const earlier = best.get(unit);
    if (earlier === undefined || value > outcomes[state.metric][earlier]) best.set(unit, row);
  }
  return [...best].map(([unit, row]) => ({ unit, row, points: units.points[unit], value: outcomes[state.metric][row] }));
}

/** From cheap to dear, each one with a higher value than everything at most as dear. */
function paretoFront(points) {
  const front = [];
  const ordered = [...points].sort((a, b) => a.points - b.points || b.value - a.value || a.row - b.row);
  for (const point of ordered) {
    if (!front.length || point.value > front.at(-1).value) front.push(point);
  }
  return front;
}

/** The theme's colours, read where the style defines them. */
function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  return { ink: read('ink'), muted: read('muted'), rule: read('rule'), sheet: read('sheet'), accent: read('accent') };
}

/** Where a label may stand from the middle of its point: left and above, where a front leaves room; else right above. */
const LABEL_PLACES = [
  { from: (width) => [-10 - width, -17], style: { position: [-4, -11], align: 'right', verticalAlign: 'top' } },
  { from: () => [-5, -9 - LABEL_HEIGHT], style: { position: [0, -3], align: 'left', verticalAlign: 'bottom' } },
];

/** For each place on the screen with the width of its label: the style of a label that covers no dot and no other label
 *  and begins right of the axis, or null where there is none. */
function labelStyles(places, dots, left) {
  const taken = dots.map(([x, y]) => ({ x: x - 5, y: y - 5, width: 10, height: 10 }));
  return places.map(([x, y, width]) => {
    for (const { from, style } of LABEL_PLACES) {
      const [dx, dy] = from(width);
      const box = { x: x + dx, y: y + dy, width, height: LABEL_HEIGHT };
      if (box.x >= left && !taken.some((other) => overlap(box, other))) {
        taken.push(box);
        return style;
      }
    }
    return null;
  });
}

const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

class Tradeoff {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.chart = null;
    this.table = new LedgerTable(byId('tradeoff-table'), { label: 'Members of the Pareto front', deep: true });
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    new ResizeObserver(() => { this.chart?.resize(); this.drawLabels(); }).observe(byId('tradeoff-chart'));
  }

  show(state) {
    this.state = state;
    const target = this.ledger.targets.find((one) => one.id === state.target);
    this.target = target;
    this.points = tradeoffPoints(this.ledger, state);
    this.front = paretoFront(this.points);
    this.metric = METRICS[state.metric];
    byId('tradeoff-answer').textContent = target
      ? `${this.metric.label} against ${target.name}, by the price of the unit. The line joins the units that no other shown unit beats on both.`
      : 'The ledger has no target.';
    byId('tradeoff-count').textContent = `${integer(this.points.length)} units with a price, ${integer(this.front.length)} on the front`;
    this.table.show({ columns: this.columns(), rows: this.front, empty: 'No unit with a price passes these filters.' });
    this.draw();
  }

  columns() {
    const { units, outcomes } = this.ledger;
    return [
      { id: 'unit', label: narrow.matches ? 'Unit' : 'Unit and loadout used', width: narrow.matches ? 190 : undefined, least: 300, pin: true, header: true, class: 'name', fill: (cell, point) => fillUnit(cell, this.ledger, this.state, point.row) },
      numberColumn('points', 'Points', 80, (point) => point.points, integer),
      numberColumn('damage', METRICS.damage.short, 110, (point) => outcomes.damage[point.row], METRICS.damage.show),
      numberColumn('d100', METRICS.d100.short, 110, (point) => outcomes.d100[point.row], METRICS.d100.show),
      numberColumn('pd100', METRICS.pd100.short, 110, (point) => outcomes.pd100[point.row], METRICS.pd100.show),
      textColumn('faction', 'Faction', 170, (point) => units.faction[point.unit], { class: 'dim' }),
    ];
  }

  async draw() {
    if (!this.points) return;
    const place = byId('tradeoff-chart');
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', `Scatter of ${this.points.length} units, points against ${this.metric.label.toLowerCase()}; the table below lists the front`);
    const echarts = await charts();
    if (!this.chart) {
      this.chart = echarts.init(place, null, { renderer: 'canvas' });
      this.chart.on('click', ({ data }) => data?.point && this.open(data.point));
    }
    this.chart.setOption(this.option(), { notMerge: true });
    this.drawLabels();
  }

  /** Names of the front's units, as many as fit; places are known once the chart is drawn. */
  drawLabels() {
    if (!this.chart || narrow.matches || !this.front.length) return;
    const pen = el('canvas').getContext('2d');
    pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const onScreen = (point) => this.chart.convertToPixel({ seriesId: 'front' }, [point.points, point.value]);
    const places = this.front.map((point) => [...onScreen(point), pen.measureText(this.labelOf(point.unit)).width]);
    const styles = labelStyles(places, this.points.map(onScreen), CHART_LEFT);
    const data = this.front.map((point, index) => ({ value: [point.points, point.value], point, label: styles[index] ? { show: true, ...styles[index] } : { show: false } }));
    this.chart.setOption({ series: [{ id: 'front', data }] });
  }

  open(point) {
    this.update({ view: 'datasheet', sheet: this.ledger.sheets.id[this.ledger.units.sheet[point.unit]] });
  }

  option() {
    const colours = themeColours();
    const dot = (point) => ({ value: [point.points, point.value], point });
    const onFront = new Set(this.front);
    const axis = {
      axisLine: { lineStyle: { color: colours.rule } }, axisTick: { show: false },
      axisLabel: { color: colours.muted, hideOverlap: true, showMinLabel: false, showMaxLabel: false }, splitLine: { lineStyle: { color: colours.rule } },
      nameTextStyle: { color: colours.muted }, nameLocation: 'middle',
    };
    return {
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: CHART_LEFT, right: 28, top: 32, bottom: 52 },
      xAxis: { ...axis, type: 'log', logBase: 2, name: 'Points of the unit (each step doubles)', nameGap: 32, min: ({ min }) => 0.7 * min, max: ({ max }) => 1.05 * max, minorSplitLine: { show: false } },
      yAxis: { ...axis, type: 'value', name: this.metric.label, nameGap: 40, min: 0, axisLabel: { color: colours.muted, formatter: this.state.metric === 'p' ? percent : undefined } },
      dataZoom: [{ type: 'inside', xAxisIndex: 0, zoomOnMouseWheel: 'ctrl', moveOnMouseMove: 'shift', preventDefaultMouseMove: false, filterMode: 'none' }],
      // confine also keeps the library from drawing an arrow by markup with inline styles, which the policy refuses.
      tooltip: { trigger: 'item', confine: true, backgroundColor: colours.sheet, borderColor: colours.accent, textStyle: { color: colours.ink }, formatter: ({ data }) => (data?.point ? this.tip(data.point) : '') },
      series: [
        { id: 'line', type: 'line', step: 'end', data: this.front.map((point) => [point.points, point.value]), symbol: 'none', silent: true, lineStyle: { color: colours.accent, width: 1.5, opacity: 0.7 } },
        { id: 'others', type: 'scatter', symbolSize: 7, data: this.points.filter((point) => !onFront.has(point)).map(dot), itemStyle: { color: colours.muted, opacity: 0.45 }, emphasis: { itemStyle: { color: colours.accent, opacity: 1 } } },
        {
          id: 'front', type: 'scatter', symbolSize: 11, data: this.front.map(dot), itemStyle: { color: colours.accent, borderColor: colours.sheet, borderWidth: 1.5 },
          label: { show: false, color: colours.ink, fontSize: 12, textBorderColor: colours.sheet, textBorderWidth: 3, formatter: ({ data }) => this.labelOf(data.point.unit) },
        },
      ],
    };
  }

  labelOf(unit) {
    const { units, sheets } = this.ledger;
    const name = shortened(units.name[unit], NAMES_ON_CHART);
    return sheets.inEditions.has(units.sheet[unit]) ? `${name} ${units.edition[unit]}` : name;
  }

  /** An element, not markup: names are text. */
  tip(point) {
    const { units, outcomes } = this.ledger;
    return el('div', { class: 'tip' },
      el('b', {}, nameOf(units.name[point.unit], 120)),
      el('div', {}, `${shortened(units.faction[point.unit], 60)} · ${units.edition[point.unit]} · ${units.models[point.unit] === 1 ? '1 model' : `${integer(units.models[point.unit])} models`}`),
      el('div', {}, `${integer(point.points)} points, ${decimal(outcomes.damage[point.row], 2)} damage`),
      el('div', {}, `${decimal(outcomes.d100[point.row], 2)} damage and ${decimal(outcomes.pd100[point.row], 1)} points destroyed per 100 points`));
  }
}
