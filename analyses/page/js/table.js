// A table that draws only the rows in sight, so fifty thousand scroll as smoothly as fifty. Screen readers still hear
// the true number of rows and the place of each. A row that is chosen by click or arrow keys shows its texts in full.

const ROW_HEIGHT = 36;
const DEEP_ROW_HEIGHT = 54; // with a second line under the name
const MARGIN_ROWS = 6;
const HIGHEST_BOX = 960; // pixels, as the style has it: rows for it are drawn before its height is known

class LedgerTable {
  /** label names the table; onSort is told the id of a column whose head is pressed, onChoose the row that has the focus;
   *  deep rows hold a second line. */
  constructor(box, { label, onSort = null, onChoose = null, deep = false }) {
    this.box = box;
    this.onSort = onSort;
    this.onChoose = onChoose;
    this.head = el('thead');
    this.body = el('tbody');
    this.columnGroup = el('colgroup');
    this.table = el('table', { class: deep ? 'virtual deep' : 'virtual', 'aria-label': label }, this.columnGroup, this.head, this.body);
    this.empty = el('p', { class: 'empty', hidden: true });
    box.classList.add('tall');
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', `${label}, scrollable`);
    this.leftOut = el('p', { class: 'printed' });
    box.append(this.table, this.leftOut, this.empty);
    this.rowHeight = deep ? DEEP_ROW_HEIGHT : ROW_HEIGHT;
    this.current = 0;
    this.drawn = '';
    this.shape = '';
    box.addEventListener('scroll', () => this.draw(), { passive: true });
    this.body.addEventListener('focusin', ({ target }) => this.choose(target.closest('tr')));
    this.body.addEventListener('keydown', (event) => this.move(event));
    new ResizeObserver(() => this.draw()).observe(box);
    onPrint((printing) => this.print(printing));
  }

  /** deep: where the rows' depth depends on the screen. */
  show({ columns, rows, sort, dir, empty, deep = null }) {
    if (deep !== null) this.table.classList.toggle('deep', deep); // the true height is measured
    this.columns = columns;
    this.rows = rows;
    this.drawHead(sort, dir);
    this.table.setAttribute('aria-rowcount', rows.length + 1);
    this.table.hidden = rows.length === 0;
    this.empty.hidden = rows.length > 0;
    this.empty.replaceChildren(...[empty ?? ''].flat());
    this.drawn = '';
    this.current = 0;
    this.box.scrollTop = 0;
    this.draw();
  }

  /** Heads are rebuilt only when the columns change; the pressed button keeps its focus, or gets it back. */
  drawHead(sort, dir) {
    const shape = this.columns.map((column) => `${column.id}:${column.label}:${column.width ?? ''}`).join('|');
    if (shape !== this.shape) {
      this.shape = shape;
      this.columnGroup.replaceChildren(...this.columns.map((column) => this.columnOf(column)));
      this.table.style.minWidth = `${this.columns.reduce((sum, column) => sum + (column.width ?? column.least), 0)}px`;
      const focused = this.head.contains(document.activeElement);
      this.head.replaceChildren(el('tr', { ariaRowIndex: 1 }, ...this.columns.map((column) => this.headOf(column))));
      if (focused) this.head.rows[0].cells[this.columns.findIndex((column) => column.id === sort)]?.querySelector('button')?.focus();
    }
    [...this.head.rows[0].cells].forEach((cell, index) => {
      const column = this.columns[index];
      if (column.id === sort) cell.setAttribute('aria-sort', dir === 'asc' ? 'ascending' : 'descending');
      else cell.removeAttribute('aria-sort');
    });
  }

  columnOf(column) {
    const element = el('col');
    if (column.width) element.style.width = `${column.width}px`;
    return element;
  }

  headOf(column) {
    const cell = el('th', { scope: 'col', class: classesOf(column), title: column.help ?? '' });
    if (!this.onSort || column.fixed) cell.append(column.label);
    else cell.append(el('button', { type: 'button', class: 'sort', onclick: () => this.onSort(column.id) }, column.label));
    return cell;
  }

  /** On paper the first rows stand, wherever the screen has scrolled to. */
  print(printing) {
    if (!this.rows) return;
    this.printing = printing;
    this.leftOut.textContent = printing ? leftOutWords(Math.min(PRINTED_ROWS, this.rows.length), this.rows.length, ['row', 'rows']) : '';
    this.drawn = '';
    this.draw();
  }

  /** The places of the rows to draw: those in sight with some around them, or those for paper. */
  range() {
    if (this.printing) return [0, Math.min(this.rows.length, PRINTED_ROWS)];
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight) - MARGIN_ROWS);
    const fitting = Math.ceil(this.box.clientHeight / this.rowHeight) + 2 * MARGIN_ROWS;
    return [first, Math.min(this.rows.length, first + Math.max(fitting, Math.ceil(HIGHEST_BOX / this.rowHeight)))];
  }

  draw() {
    if (!this.rows || this.box.offsetParent === null) return;
    const [first, last] = this.range();
    if (this.drawn === `${first}-${last}`) return;
    this.drawn = `${first}-${last}`;
    const rows = [];
    for (let position = first; position < last; position += 1) rows.push(this.rowOf(position));
    const focused = this.body.contains(document.activeElement);
    this.body.replaceChildren(this.spacer(first), ...rows, this.spacer(this.rows.length - last));
    if (focused) (rows[this.current - first] ?? this.box).focus({ preventScroll: true });
    this.measure(rows.find((row) => row !== document.activeElement));
  }

  /** The row that the Tab key stops at. */
  choose(row) {
    for (const other of this.body.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    row.tabIndex = 0;
    this.current = row.ariaRowIndex - 2;
    this.onChoose?.(this.rows[this.current]);
  }

  /** Arrow keys go from row to row; Enter follows the row's link, which is no stop of its own. */
  move(event) {
    if (event.key === 'Enter' && event.target.tagName === 'TR') event.target.querySelector('a')?.click();
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
    const step = steps[event.key];
    if (!step || event.target.tagName !== 'TR') return;
    event.preventDefault();
    this.current = Math.min(this.rows.length - 1, Math.max(0, this.current + step));
    const above = this.current * this.rowHeight;
    const below = this.head.offsetHeight + above + this.rowHeight - this.box.clientHeight;
    this.box.scrollTop = Math.min(above, Math.max(below, this.box.scrollTop));
    this.drawn = '';
    this.draw();
  }

  /** Fonts, zoom and narrow screens make rows higher than planned; places must follow the real height. */
  measure(row) {
    const height = row?.getBoundingClientRect().height;
    if (!height || Math.abs(height - this.rowHeight) < 0.01) return;
    this.rowHeight = height;
    this.drawn = '';
    requestAnimationFrame(() => this.draw());
  }

  rowOf(position) {
    const row = el('tr', { ariaRowIndex: position + 2, tabIndex: position === this.current ? 0 : -1 });
    for (const column of this.columns) {
      const cell = el(column.header ? 'th' : 'td', { class: classesOf(column) });
      if (column.header) cell.scope = 'row';
      column.fill(cell, this.rows[position], position);
      for (const link of cell.querySelectorAll('a')) link.tabIndex = -1;
      row.append(cell);
    }
    return row;
  }

  spacer(rows) {
    const cell = el('td', { colSpan: this.columns.length });
    cell.style.height = `${rows * this.rowHeight}px`;
    return el('tr', { class: 'spacer', ariaHidden: 'true', hidden: rows === 0 }, cell);
  }
}

const classesOf = (column) => [column.number ? 'number' : '', column.pin ? 'pin' : '', column.class ?? ''].join(' ').trim();

/** A column of numbers. */
const numberColumn = (id, label, width, value, show, more = {}) => ({
  id, label, width, value, number: true,
  fill: (cell, row, position) => { cell.textContent = show(value(row, position)); },
  ...more,
});

/** A column of texts, cut by the style and whole in the title. */
const textColumn = (id, label, width, value, more = {}) => ({
  id, label, width, value,
  fill: (cell, row, position) => {
    const text = value(row, position) ?? NONE;
    cell.append(nameOf(text, 160));
    cell.title = text;
  },
  ...more,
});

/** A name with its tags behind it: a long name gives way, the tags stay. */
const nameLine = (name, ...tags) => el('div', { class: 'line' }, name instanceof Node ? name : nameOf(name), ...tags);

/** A number over a bar that shows its size against the largest one shown. */
function fillMetered(cell, value, largest, show) {
  cell.classList.add('metered');
  if (!isNothing(value) && largest > 0) {
    const meter = el('span', { class: 'meter', ariaHidden: 'true' });
    meter.style.width = `${Math.max(0, (100 * value) / largest)}%`;
    cell.append(meter);
  }
  cell.append(el('span', {}, show(value)));
}

/** The same as a cell of a small table. */
function metered(value, largest, show) {
  const place = el('div');
  fillMetered(place, value, largest, show);
  return place;
}

/** A table whose cells are buttons and links as one stop of the Tab key: arrow keys go from cell to cell. */
function withOneStop(table) {
  const [body] = table.tBodies;
  const rows = [...body.rows].map((row) => [...row.cells].map((cell) => cell.querySelector('button, a')));
  let current = rows.flat().find(Boolean);
  for (const stop of rows.flat()) if (stop) stop.tabIndex = stop === current ? 0 : -1;
  table.setAttribute('role', 'grid');
  body.addEventListener('focusin', ({ target }) => { current.tabIndex = -1; current = target; current.tabIndex = 0; });
  body.addEventListener('keydown', (event) => {
    const row = rows.findIndex((stops) => stops.includes(event.target));
    const column = rows[row]?.indexOf(event.target);
    const along = (step) => { let at = column + step; while (rows[row][at] === null) at += step; return rows[row][at]; };
    const across = (step) => { let at = row + step; while (rows[at] && !rows[at][column]) at += step; return rows[at]?.[column]; };
    const ways = { ArrowLeft: () => along(-1), ArrowRight: () => along(1), ArrowUp: () => across(-1), ArrowDown: () => across(1), Home: () => rows[row].find(Boolean), End: () => rows[row].findLast(Boolean) };
    if (row < 0 || !Object.hasOwn(ways, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    ways[event.key]()?.focus();
  });
  return table;
}

/** A small table drawn whole: columns of [label, value or element, class]. */
function simpleTable(label, heads, rows) {
  const head = el('tr', {}, ...heads.map(([text, kind]) => el('th', { scope: 'col', class: kind ?? '' }, text)));
  const body = rows.map((cells) => el('tr', {}, ...cells.map((content, index) => {
    const text = content instanceof Node ? content : nameOf(String(content ?? NONE), 300);
    return el('td', { class: heads[index][1] ?? '' }, text);
  })));
  return el('table', { class: 'simple', 'aria-label': label }, el('thead', {}, head), el('tbody', {}, ...body));
}
