// How an attack can turn out: the law of one outcome as bars, with the range it mostly falls into. Built of elements, so
// that it prints, follows the theme and needs no library; the same figures stand in a table below.

const LETTERS = ['A', 'B', 'C', 'D'];
const FEW_BARS = 12; // up to which each bar carries its share

const TRACE = 1e-6; // stands for what is above nothing, or short of all, by less than the page carries

/** The law of an outcome: shares of 0, 1, … with percentiles, or null where the page carries none. */
function lawOf(laws, kind, row) {
  const code = laws[kind].codes[row] ?? -1;
  if (code < 0) return null;
  const parts = laws[kind].laws[code];
  const certain = parts.filter((part) => part !== 0).length === 1;
  const shares = parts.map((part) => (part < 0 ? TRACE : certain ? part / laws.scale : Math.min(part / laws.scale, 1 - TRACE)));
  const least = parts.findIndex((part) => part !== 0); // every activation reaches it
  const atLeast = new Array(parts.length);
  let tail = 0; // in whole parts, so that no sum is off
  let trace = 0;
  for (let k = parts.length - 1; k >= 0; k -= 1) {
    tail += Math.max(0, parts[k]);
    if (parts[k] < 0) trace = TRACE;
    atLeast[k] = k <= least ? 1 : Math.min(tail / laws.scale || trace, 1 - TRACE);
  }
  return { shares, atLeast, p10: laws[`${kind}_p10`][row], p50: laws[`${kind}_p50`][row], p90: laws[`${kind}_p90`][row] };
}

const chanceWords = (share) => (share ? percent(share) : '0 %');
const shareWords = (law, k) => chanceWords(law.shares[k]);
const tailWords = (law, k) => chanceWords(law.atLeast[k]);
const KINDS = { models: ['model destroyed', 'models destroyed'], damage: ['wound taken off', 'wounds taken off'] };
const countOf = (number, [one, many]) => `${integer(number)} ${number === 1 ? one : many}`;

/** In words: what half of the activations reach, and between what eight in ten lie. */
function lawWords(law, kind) {
  const range = law.p10 === law.p90 ? `Nearly always ${countOf(law.p50, KINDS[kind])}` : `Mostly ${integer(law.p10)} to ${countOf(law.p90, KINDS[kind])}`;
  return `${range}; the median is ${integer(law.p50)}.`;
}

/** The value that most activations end in, and their share. */
function likeliestWords(law) {
  const most = Math.max(...law.shares);
  return `Likeliest: ${integer(law.shares.indexOf(most))} (${chanceWords(most)}).`;
}

/** The shares at which a line is drawn, from nothing to the first one that no bar is above. */
function gridShares(highest) {
  const step = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5].find((share) => share * 4 >= highest) ?? 0.5;
  return Array.from({ length: Math.max(1, Math.ceil(highest / step - 1e-9)) + 1 }, (_, line) => line * step);
}

/** Bars of one law, or of several of a `series` each side by side, on a common axis up to the last value that any of them
 *  reaches. Where bars have no room for their shares, lines across say how high they are. */
function bars(laws, label) {
  const count = Math.max(...laws.map((law) => law.shares.length));
  const alone = laws.length === 1 && laws[0].series === undefined;
  const labelled = alone && count <= FEW_BARS;
  const lines = labelled ? [] : gridShares(Math.max(...laws.flatMap((law) => law.shares)));
  const highest = labelled ? Math.max(...laws[0].shares) : lines.at(-1);
  const every = Math.ceil(count / FEW_BARS);
  const slots = Array.from({ length: count }, (_, k) => {
    const group = el('div', { class: 'bar-group' }, ...laws.map((law) => {
      const bar = el('div', { class: `law-bar series-${alone ? 'one' : law.series}` });
      const share = law.shares[k] ?? 0;
      bar.style.height = `${highest > 0 ? (100 * share) / highest : 0}%`;
      if (alone && k >= law.p10 && k <= law.p90) bar.classList.add('usual');
      if (share > 0) bar.classList.add('some');
      bar.title = `${alone ? '' : `${LETTERS[law.series]}: `}${integer(k)}: ${shareWords(law, k)}`;
      return bar;
    }));
    const value = labelled ? el('span', { class: 'bar-share' }, shareOfHundred(laws[0].shares[k] ?? 0)) : null;
    const median = alone && k === laws[0].p50;
    return el('div', { class: 'bar-slot' }, value, group, el('span', { class: `bar-label ${median ? 'median' : ''}` }, k % every === 0 || median ? integer(k) : ''));
  });
  const grid = lines.map((share) => {
    const line = el('div', { class: 'law-line' }, el('span', {}, share === lines.at(-1) ? `${shareOfHundred(share)} %` : shareOfHundred(share)));
    line.style.bottom = `${(100 * share) / highest}%`;
    return line;
  });
  return el('div', { class: `law-bars ${lines.length ? 'scaled' : ''}`.trim(), role: 'img', 'aria-label': label }, el('div', { class: 'law-grid' }, ...grid), ...slots);
}

/** The figures of the bars; for several laws a column each. */
function lawTable(label, laws, kind) {
  const count = Math.max(...laws.map((law) => law.shares.length));
  const heads = [[kind === 'models' ? 'Models destroyed' : 'Wounds taken off', 'number'], ...laws.flatMap(({ series }) => {
    const letter = series === undefined ? '' : ` ${LETTERS[series]}`;
    return [[`Exactly${letter}`, 'number'], [`At least${letter}`, 'number']];
  })];
  const rows = Array.from({ length: count }, (_, k) => [integer(k), ...laws.flatMap((law) => [shareWords(law, k), tailWords(law, k)])]);
  return el('details', {}, el('summary', {}, 'The same as a table'), el('div', { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': label }, simpleTable(label, heads, rows)));
}

/** One law with its heading, its words, its bars and its table. */
function lawFigure(heading, law, kind) {
  const label = `${heading}: ${lawWords(law, kind)}`;
  return el('figure', { class: 'law' },
    el('figcaption', {}, el('h3', {}, heading), el('p', {}, lawWords(law, kind))),
    bars([law], label), el('p', { class: 'axis-name' }, `${KINDS[kind][1]}, per cent of activations`), lawTable(heading, [law], kind));
}
