// Weapons as things to compare: see compare.js for what a kind of things gives. The laws of single weapons are a file of
// their own, which only this view asks for.

/** A weapon's name as a link to its comparison: with those that are compared already, the first of which makes room. */
function weaponLink(ledger, weapon, longest = 80) {
  const weapons = ledger.weapons();
  return el('a', { class: 'sheet-link', href: addressWith((state) => ({ view: 'compare', what: 'weapons', weapons: withWeapon(state, weapons.key[weapon]) })), title: 'Compare this weapon with others' }, nameOf(weapons.label[weapon], longest));
}

const withWeapon = (state, key) => [...state.weapons.split(' ').filter((one) => one && one !== key).slice(1 - MOST_COMPARED), key].join(' ');

class ComparedWeapons {
  constructor(ledger) {
    this.ledger = ledger;
    this.words = ['weapon', 'weapons'];
    this.pick = weaponsToPick(ledger);
    this.label = 'Add a weapon';
    this.scope = 'One bearer’s one profile in one activation, plain scenario. Never per point: a weapon has no price of its own.';
  }

  chosen(state) {
    const { place } = this.ledger.weapons();
    return state.weapons.split(' ').filter(Boolean).map((key) => place.get(key));
  }

  change(chosen) {
    return { weapons: chosen.map((weapon) => this.ledger.weapons().key[weapon]).join(' ') };
  }

  async open() {
    this.laws = await this.ledger.weaponLaws();
  }

  metric() {
    return METRICS.damage;
  }

  name(weapon) {
    return this.ledger.weapons().label[weapon];
  }

  distinctions(weapon) {
    const weapons = this.ledger.weapons();
    return [weapons.unit[weapon], weapons.edition[weapon], weapons.attack_type[weapon]];
  }

  link(weapon) {
    return nameOf(this.name(weapon), 80);
  }

  under(weapon) {
    const weapons = this.ledger.weapons();
    return [sheetLink(this.ledger, weapons.sheet[weapon], 40), ` · ${weapons.edition[weapon]} · ${weapons.attack_type[weapon]}`];
  }

  outcome(weapon, target) {
    const value = this.ledger.weapons().byTarget[target.index]?.[weapon] ?? null;
    return value === null ? null : { row: this.laws.class_of[weapon] * this.ledger.targets.length + target.index, value };
  }

  law(outcome, kind) {
    return lawOf(this.laws, kind, outcome.row);
  }

  best(state) {
    const weapons = this.ledger.weapons();
    const damage = weapons.byTarget[this.ledger.targets.findIndex((target) => target.id === state.target)] ?? [];
    const all = Array.from({ length: weapons.count }, (_, weapon) => weapon).filter((weapon) => state.legends !== 'hide' || weapons.availability[weapon] !== 'legends');
    const names = new Set(); // the same weapon stands on many datasheets
    return Array.from(ordered(all, (weapon) => damage[weapon] ?? null, 'desc')).filter((weapon) => !names.has(weapons.label[weapon]) && names.add(weapons.label[weapon]));
  }

  facts(chosen) {
    const weapons = this.ledger.weapons();
    const heads = [['Weapon', 'clip'], ['Profile', 'clip'], ['Abilities'], ['Not simulated'], ['Share of the unit’s cost', 'number']];
    const rows = chosen.map((weapon, index) => [`${LETTERS[index]} ${shortened(this.name(weapon), 60)}`, weapons.stats[weapon], weapons.abilities[weapon] || NONE, weapons.not_modelled[weapon] ? spaced(weapons.not_modelled[weapon]) : NONE, decimal(weapons.share[weapon], 1)]);
    return section('Profiles', simpleTable('Profiles', heads, rows));
  }
}
