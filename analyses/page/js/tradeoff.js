// A scatter of units by two figures, with those that nothing beats on both. The table under the chart says the same in
// words and is what keyboards and screen readers reach: the row that has the focus shows its label in the chart.

const NAMES_ON_CHART = 26;
const CHART_LEFT = 64; // pixels, with the axis and its name
const LABEL_HEIGHT = 20;
const PRINTED_SIZE = { width: 680, height: 420 };

/** The theme's colours, read where the style defines them. */
function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  return { ink: read('ink'), muted: read('muted'), rule: read('rule'), sheet: read('sheet'), accent: read('accent'), bad: read('bad') };
}

/** Where a label may stand from the middle of its point; which come first is where a front leaves room. */
const LABEL_PLACES = {
  left: { from: (width) => [-10 - width, -17], style: { position: [-4, -11], align: 'right', verticalAlign: 'top' } },
  above: { from: () => [-5, -9 - LABEL_HEIGHT], style: { position: [0, -3], align: 'left', verticalAlign: 'bottom' } },
  below: { from: (width) => [-width / 2, 9], style: { position: [5.5, 16], align: 'center', verticalAlign: 'top' } },
  right: { from: () => [10, -17], style: { position: [15, -11], align: 'left', verticalAlign: 'top' } },
};

/** For each place on the screen with the width of its label: the style of a label that covers no dot and no other label
 *  and stands between the axis and the edge, or null where there is none. */
function labelStyles(places, dots, wanted, left, right) {
  const taken = dots.map(([x, y]) => ({ x: x - 5, y: y - 5, width: 10, height: 10 }));
  return places.map(([x, y, width]) => {
    for (const { from, style } of wanted.map((name) => LABEL_PLACES[name])) {
      const [dx, dy] = from(width);
      const box = { x: x + dx, y: y + dy, width, height: LABEL_HEIGHT };
      if (box.x >= left && box.x + width <= right && !taken.some((other) => overlap(box, other))) {
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
    this.kinds = { points: new ByPrice(ledger), durability: new ByDurability(ledger) };
    this.table = new LedgerTable(byId('tradeoff-table'), { label: 'Units of the chart', onChoose: (point) => this.point(point), deep: true });
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    new ResizeObserver(() => { if (!this.printing) { this.chart?.resize(); this.drawLabels(); } }).observe(byId('tradeoff-chart'));
    onPrint((printing) => this.print(printing));
  }

  async show(state) {
    this.state = state;
    const kind = this.kinds[state.chart];
    await kind.open(state);
    if (this.state !== state) return;
    this.kind = kind;
    const target = this.ledger.targets.find((one) => one.id === state.target);
    this.points = kind.points(state);
    this.front = paretoFront(this.points, kind.better);
    byId('h-tradeoff').textContent = kind.heading;
    byId('tradeoff-table-heading').textContent = kind.tableHeading;
    byId('tradeoff-note').replaceChildren(...kind.note());
    byId('tradeoff-answer').textContent = target ? kind.words(target) : 'The ledger has no target.';
    say('tradeoff-count', kind.count(this.points, this.front));
    byId('tradeoff-chart').hidden = !this.points.length;
    byId('tradeoff-table-heading').hidden = !this.points.length;
    byId('tradeoff-note').hidden = !this.points.length;
    this.limit = target ? kind.ceiling(this.points, target) : [];
    byId('tradeoff-keys').hidden = !this.points.length;
    byId('tradeoff-keys').replaceChildren(el('span', {}, 'on the front'), el('span', { class: 'other' }, 'other units'), ...(this.limit.length ? [el('span', { class: 'ceiling' }, 'ceiling: the whole target destroyed')] : []));
    this.table.show({ columns: this.columns(), rows: kind.listed(this.points, this.front), empty: kind.empty(state) });
    this.draw();
  }

  columns() {
    const { units } = this.ledger;
    return [
      { id: 'unit', label: narrow.matches ? 'Unit' : 'Unit and loadout used', width: narrow.matches ? 190 : undefined, least: 300, pin: true, header: true, class: 'name', fill: (cell, point) => fillUnit(cell, this.ledger, this.state, point.row) },
      ...this.kind.columns(),
      textColumn('faction', 'Faction', 170, (point) => units.faction[point.unit], { class: 'dim' }),
    ];
  }

  /** On paper in its size and its colours. */
  print(printing) {
    this.printing = printing;
    if (!this.chart) return;
    this.chart.resize(printing ? PRINTED_SIZE : { width: 'auto', height: 'auto' });
    this.paint();
    this.chart.getZr().flush();
  }

  async draw() {
    if (!this.points?.length) return;
    const place = byId('tradeoff-chart');
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', this.kind.name(this.points));
    const echarts = await charts();
    if (!this.chart) {
      this.chart = echarts.init(place, null, { renderer: 'canvas' });
      this.chart.on('click', ({ data }) => data?.point && this.open(data.point));
    }
    this.paint();
  }

  paint() {
    this.chart.setOption(this.option(), { notMerge: true });
    this.drawLabels();
  }

  /** Names of the front's units, as many as fit; places are known once the chart is drawn. */
  drawLabels() {
    if (!this.chart || !this.front.length) return;
    const pen = el('canvas').getContext('2d');
    pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const onScreen = (point) => this.chart.convertToPixel({ seriesId: 'front' }, [point.x, point.y]);
    const places = this.front.map((point) => [...onScreen(point), pen.measureText(this.labelOf(point.unit)).width]);
    const styles = labelStyles(places, this.points.map(onScreen), this.kind.labels, CHART_LEFT, this.chart.getWidth());
    const data = this.front.map((point, index) => ({ value: [point.x, point.y], point, label: styles[index] ? { show: true, ...styles[index] } : { show: false } }));
    this.chart.setOption({ series: [{ id: 'front', data }] });
  }

  /** The label of a table's row, as if the pointer were on its dot, where that is in sight. */
  point(point) {
    if (!this.chart) return;
    const height = byId('tradeoff-chart').getBoundingClientRect().top + this.chart.convertToPixel({ seriesId: 'front' }, [point.x, point.y])[1];
    if (height < 0 || height > window.innerHeight) { this.chart.dispatchAction({ type: 'hideTip' }); return; }
    const onFront = this.front.indexOf(point);
    this.chart.dispatchAction({ type: 'showTip', ...(onFront >= 0 ? { seriesIndex: 2, dataIndex: onFront } : { seriesIndex: 1, dataIndex: this.others.indexOf(point) }) });
  }

  open(point) {
    this.update({ view: 'datasheet', sheet: this.ledger.sheets.id[this.ledger.units.sheet[point.unit]] });
  }

  option() {
    const colours = themeColours();
    const dot = (point) => ({ value: [point.x, point.y], point });
    const onFront = new Set(this.front);
    this.others = this.points.filter((point) => !onFront.has(point));
    const { x, y: { format, ...y } } = this.kind.axes();
    const axis = {
      axisLine: { lineStyle: { color: colours.rule } }, axisTick: { show: false },
      axisLabel: { color: colours.muted, hideOverlap: true, showMinLabel: false, showMaxLabel: false }, splitLine: { lineStyle: { color: colours.rule } },
      nameTextStyle: { color: colours.muted }, nameLocation: 'middle',
    };
    return {
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: CHART_LEFT, right: 28, top: 32, bottom: 52 },
      xAxis: { ...axis, ...x, nameGap: 32 },
      yAxis: { ...axis, ...y, nameGap: 40, axisLabel: y.type === 'value' ? { color: colours.muted, formatter: format } : axis.axisLabel },
      dataZoom: [{ type: 'inside', xAxisIndex: 0, zoomOnMouseWheel: 'ctrl', moveOnMouseMove: 'shift', preventDefaultMouseMove: false, filterMode: 'none' }],
      // confine also keeps the library from drawing an arrow by markup with inline styles, which the policy refuses.
      tooltip: { trigger: 'item', confine: true, backgroundColor: colours.sheet, borderColor: colours.accent, textStyle: { color: colours.ink }, formatter: ({ data }) => (data?.point ? this.tip(data.point) : '') },
      series: [
        { id: 'line', type: 'line', step: 'end', data: this.front.map((point) => [point.x, point.y]), symbol: 'none', silent: true, lineStyle: { color: colours.accent, width: 1.5, opacity: 0.7 } },
        { id: 'others', type: 'scatter', symbolSize: 7, data: this.others.map(dot), itemStyle: { color: colours.muted, opacity: 0.45 }, emphasis: { itemStyle: { color: colours.accent, opacity: 1 } } },
        {
          id: 'front', type: 'scatter', symbolSize: 11, data: this.front.map(dot), itemStyle: { color: colours.accent, borderColor: colours.sheet, borderWidth: 1.5 },
          label: { show: false, color: colours.ink, fontSize: 12, textBorderColor: colours.sheet, textBorderWidth: 3, formatter: ({ data }) => this.labelOf(data.point.unit) },
        },
        { id: 'ceiling', type: 'line', data: this.limit, symbol: 'none', silent: true, lineStyle: { color: colours.bad, width: 1.5, type: 'dashed' } },
      ],
    };
  }

  labelOf(unit) {
    const { units, sheets } = this.ledger;
    const name = shortened(units.name[unit], NAMES_ON_CHART);
    return this.state.edition === ANY && sheets.inEditions.has(units.sheet[unit]) ? `${name} ${units.edition[unit]}` : name;
  }

  /** An element, not markup: names are text. */
  tip(point) {
    const { units } = this.ledger;
    return el('div', { class: 'tip' },
      el('b', {}, nameOf(units.name[point.unit], 120)),
      el('div', {}, `${shortened(units.faction[point.unit], 60)} · ${units.edition[point.unit]} · ${units.models[point.unit] === 1 ? '1 model' : `${integer(units.models[point.unit])} models`}`),
      ...this.kind.tip(point).map((line) => el('div', {}, line)));
  }
}
