// A search field that finds a datasheet: a combobox with a list, by the ARIA pattern, for thousands of names.

const MOST_FOUND = 12;

class Picker {
  /** label stands over the field; onPick is told the sheet. */
  constructor(place, { id, ledger, label, onPick }) {
    this.ledger = ledger;
    this.onPick = onPick;
    this.found = [];
    this.active = -1;
    this.list = el('ul', { id: `${id}-list`, class: 'options', role: 'listbox', 'aria-label': label, hidden: true });
    this.input = el('input', { id, type: 'text', autocomplete: 'off', spellcheck: false, placeholder: 'Type a name', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': this.list.id, 'aria-autocomplete': 'list' });
    this.input.addEventListener('input', () => this.search());
    this.input.addEventListener('keydown', (event) => this.press(event));
    this.input.addEventListener('blur', () => this.close());
    this.list.addEventListener('pointerdown', (event) => event.preventDefault()); // keeps the focus in the field
    place.append(el('label', { htmlFor: id }, label), this.input, this.list);
  }

  search() {
    const { sheets } = this.ledger;
    const text = this.input.value.trim();
    const matches = matcher(text);
    const begins = folded(text);
    const all = text ? Array.from({ length: sheets.count }, (_, sheet) => sheet).filter((sheet) => matches(sheets.searchable[sheet])) : [];
    const first = (sheet) => (folded(sheets.name[sheet]).startsWith(begins) ? 0 : 1);
    this.found = all.sort((a, b) => first(a) - first(b) || sheets.nameRank[a] - sheets.nameRank[b]).slice(0, MOST_FOUND);
    this.active = this.found.length ? 0 : -1;
    this.draw(text);
  }

  draw(text) {
    const { sheets } = this.ledger;
    const options = this.found.map((sheet, index) => {
      const option = el('li', { id: `${this.list.id}-${index}`, role: 'option', 'aria-selected': String(index === this.active) },
        nameOf(sheets.name[sheet], 60), el('span', { class: 'dim' }, ` ${shortened(sheets.faction[sheet], 40)} · ${sheets.edition[sheet]}`));
      option.addEventListener('click', () => this.pick(sheet));
      return option;
    });
    if (text && !options.length) options.push(el('li', { class: 'dim', role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'No datasheet has this name.'));
    this.list.replaceChildren(...options);
    this.list.hidden = options.length === 0;
    this.input.setAttribute('aria-expanded', String(options.length > 0));
    if (this.active >= 0) this.input.setAttribute('aria-activedescendant', `${this.list.id}-${this.active}`);
    else this.input.removeAttribute('aria-activedescendant');
  }

  press(event) {
    if (event.key === 'Escape') { this.close(); return; }
    if (event.key === 'Enter' && this.active >= 0) { event.preventDefault(); this.pick(this.found[this.active]); return; }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !this.found.length) return;
    event.preventDefault();
    this.active = (this.active + step + this.found.length) % this.found.length;
    this.draw(this.input.value);
  }

  pick(sheet) {
    this.close();
    this.onPick(sheet);
  }

  close() {
    this.input.value = '';
    this.found = [];
    this.active = -1;
    this.draw('');
  }
}
