// Numbers as people read them, and elements built from text. Nothing here or after it sets innerHTML: every name comes
// from a source that nobody vouches for.

const NONE = '–';
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

const isNothing = (value) => value === null || value === undefined || Number.isNaN(value);

/** A number with fixed decimals; what is above zero but would read as zero says so. */
function decimal(value, digits) {
  if (isNothing(value)) return NONE;
  const smallest = 10 ** -digits;
  if (value > 0 && value < smallest / 2) return `<${smallest.toFixed(digits)}`;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const integer = (value) => (isNothing(value) ? NONE : whole.format(value));

/** A share in per cent: what isn't nothing never reads as nothing, and what isn't all never as all. */
const percent = (value) => (isNothing(value) ? NONE : `${shareOfHundred(value, 1)} %`);

/** The same without the sign, by default in whole per cent: for cells and bars that have no room. */
function shareOfHundred(value, digits = 0) {
  if (isNothing(value)) return NONE;
  const step = 10 ** -digits;
  if (value > 0 && 100 * value < step / 2) return `<${step.toFixed(digits)}`;
  if (value < 1 && 100 * value >= 100 - step / 2) return `>${(100 - step).toFixed(digits)}`;
  return decimal(100 * value, digits);
}

const compact = (value) => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value);

const shortened = (text, longest) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** An element with properties and children; strings become text nodes. */
function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'class') element.className = value;
    else if (name.startsWith('aria-') || name === 'role' || name === 'scope') element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A name of unknown length and direction: shortened for the eye, whole in the title, isolated from its neighbours. */
function nameOf(text, longest = 80) {
  const name = el('bdi', {}, shortened(text, longest));
  if (text.length > longest) name.title = text;
  return name;
}

/** An option's own text, without a count that a view may have put behind it. */
const wordsOfOption = (option) => option.dataset.words ?? option.textContent;

const byId = (id) => document.getElementById(id);
const tagOf = (text, title, kind = '') => el('span', { class: `tag ${kind}`.trim(), title }, text);

/** A line that is read out when it changes, and only then. */
function say(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

/** Give the focus to what isn't a stop of the Tab key, where the control that had it goes. */
function focusOn(element) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Folded for searching: case and accents don't matter. */
const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase();

/** Several words search for rows that have them all. */
function matcher(query) {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return (text) => words.every((word) => text.includes(word));
}

/** A CSV file of the shown columns. A text that a spreadsheet would run as a formula gets an apostrophe first. */
function csvOf(columns, rows) {
  const quoted = (value) => {
    if (isNothing(value)) return '';
    if (typeof value === 'number') return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [columns.map((column) => quoted(column.file ?? column.id)).join(',')];
  rows.forEach((row, position) => lines.push(columns.map((column) => quoted(column.value(row, position))).join(',')));
  return lines.join('\r\n') + '\r\n';
}

function download(name, text) {
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
