// A search field that finds a datasheet or a weapon: a combobox with a list, by the ARIA pattern, for thousands of names.

const MOST_FOUND = 12;

class Picker {
  /** label stands over the field; things gives what is found among (see sheetsToPick); onPick is told its index. */
  constructor(place, { id, things, label, onPick }) {
    this.things = things;
    this.onPick = onPick;
    this.found = [];
    this.active = -1;
    this.list = el('ul', { id: `${id}-list`, class: 'options', role: 'listbox', 'aria-label': label, hidden: true });
    this.input = el('input', { id, type: 'text', autocomplete: 'off', spellcheck: false, placeholder: 'Type a name', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': this.list.id, 'aria-autocomplete': 'list' });
    this.input.addEventListener('input', () => this.search());
    this.input.addEventListener('keydown', (event) => this.press(event));
    this.input.addEventListener('blur', () => this.close());
    this.list.addEventListener('pointerdown', (event) => event.preventDefault()); // keeps the focus in the field
    this.label = el('label', { htmlFor: id }, label);
    place.append(this.label, this.input, this.list);
  }

  /** Another label, where what is searched changes. */
  name(label) {
    this.label.textContent = label;
    this.list.setAttribute('aria-label', label);
  }

  search() {
    const { count, name, searchable, rank } = this.things();
    const text = this.input.value.trim();
    const matches = matcher(text);
    const begins = folded(text);
    const all = text ? Array.from({ length: count }, (_, index) => index).filter((index) => matches(searchable[index])) : [];
    const begin = new Set(all.filter((index) => folded(name[index]).startsWith(begins)));
    this.found = all.sort((a, b) => begin.has(b) - begin.has(a) || rank[a] - rank[b]).slice(0, MOST_FOUND);
    this.active = this.found.length ? 0 : -1;
    this.draw(text);
  }

  draw(text) {
    const { name, detail } = this.things();
    const options = this.found.map((thing, index) => {
      const option = el('li', { id: `${this.list.id}-${index}`, role: 'option', 'aria-selected': String(index === this.active) },
        nameOf(name[thing], 60), el('span', { class: 'dim' }, ' ', nameOf(detail(thing), 90)));
      option.addEventListener('click', () => this.pick(thing));
      return option;
    });
    if (text && !options.length) options.push(el('li', { class: 'dim', role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, `No ${this.things().what} has this name.`));
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

  pick(thing) {
    this.close();
    this.onPick(thing);
  }

  close() {
    this.input.value = '';
    this.found = [];
    this.active = -1;
    this.draw('');
  }
}

/** Datasheets to find one of. */
const sheetsToPick = ({ sheets }) => () => ({
  what: 'datasheet', count: sheets.count, name: sheets.name, searchable: sheets.searchable, rank: sheets.nameRank,
  detail: (sheet) => `${shortened(sheets.faction[sheet], 40)} · ${sheets.edition[sheet]}`,
});

/** Weapons to find one of, by their own name or their unit's. */
function weaponsToPick(ledger) {
  return () => {
    const weapons = ledger.weapons();
    return {
      what: 'weapon', count: weapons.count, name: weapons.label, searchable: weapons.searchable, rank: weapons.labelRank,
      detail: (weapon) => `${shortened(weapons.unit[weapon], 40)} · ${weapons.edition[weapon]} · ${weapons.stats[weapon]}`,
    };
  };
}
