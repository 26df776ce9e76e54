// Sections of a view: a heading, what it is told by, and a table in a box that scrolls by itself.

const boxOf = (title, content) => el('div', { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': title }, content);

/** A heading and its table. */
const section = (title, content) => [el('h2', {}, title), boxOf(title, content)];

/** The same with a control of this section alone beside its heading. */
const sectionWith = (title, control, content) => [el('div', { class: 'section-head' }, el('h2', {}, title), control), boxOf(title, content)];

const nothing = (text) => el('p', { class: 'empty' }, text);

/** A select that sets a part of the state (the page listens to its input); options of [value, words]; more stands behind it. */
function chooser(name, { id, label, options, value }, ...more) {
  const select = el('select', { id }, ...options.map(([one, words]) => el('option', { value: one }, shortened(words, 70))));
  select.dataset.state = name;
  select.value = value;
  return el('div', { class: 'inline-field' }, el('label', { htmlFor: id }, label), select, ...more);
}

/** Redraws a place; a control in it keeps the focus where its successor has the same id. */
function redraw(place, ...content) {
  const held = place.contains(document.activeElement) ? document.activeElement.id : '';
  place.replaceChildren(...content);
  if (held) byId(held)?.focus({ preventScroll: true });
}
