// Weapon profiles by what one activation of one bearer does to each target. Never ranked per point: a weapon has no
// price of its own.

class Weapons {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.table = new LedgerTable(byId('weapons-table'), { label: 'Weapon profiles by damage of one activation', onSort: (id) => this.sort(id) });
    byId('weapons-csv').addEventListener('click', () => download('warledger-weapons.csv', csvOf(this.columns, this.rows)));
    narrow.addEventListener('change', () => this.state && this.show(this.state));
  }

  sort(id) {
    const usual = ['label', 'unit'].includes(id) ? 'asc' : 'desc';
    const turned = this.state.wdir === 'desc' ? 'asc' : 'desc';
    this.update({ wsort: id, wdir: this.state.wsort === id ? turned : usual });
  }

  show(state) {
    this.state = state;
    const weapons = this.ledger.weapons();
    const target = this.ledger.targets.find((one) => one.id === state.target);
    const all = Array.from({ length: weapons.count }, (_, index) => index);
    const matches = matcher(state.q);
    const kept = all.filter((i) => (state.legends !== 'hide' || weapons.availability[i] !== 'legends')
      && (!state.type || weapons.attack_type[i] === state.type)
      && (!state.faction || weapons.faction[i] === state.faction)
      && (!state.edition || weapons.edition[i] === state.edition)
      && matches(weapons.searchable[i]));
    const first = target?.index ?? 0;
    const damage = (index) => (i) => weapons.byTarget[index]?.[i] ?? null;
    const byLabel = ordered(kept, (i) => weapons.labelRank[i], 'asc');
    this.rows = ordered(ordered(byLabel, damage(first), 'desc'), this.key(weapons, state, damage(first), damage), state.wdir);
    this.columns = this.columnsOf(weapons, target, damage);
    byId('weapons-count').textContent = `${integer(this.rows.length)} of ${integer(weapons.count)} rows`;
    byId('weapons-answer').textContent = `Expected damage of one weapon in one activation against ${target ? target.name : 'each target'}, then against every other target.`;
    this.table.show({
      columns: this.columns, rows: this.rows, sort: state.wsort, dir: state.wdir,
      empty: 'No weapon passes these filters. Clear one, or try fewer letters in the search.',
    });
  }

  key(weapons, state, chosen, damage) {
    if (state.wsort === 'label') return (i) => weapons.labelRank[i];
    if (state.wsort === 'unit') return (i) => weapons.unitRank[i];
    if (state.wsort === 'share') return (i) => weapons.share[i];
    const other = this.ledger.targets.findIndex((target) => `t-${target.id}` === state.wsort);
    return other < 0 ? chosen : damage(other);
  }

  columnsOf(weapons, target, damage) {
    const two = (value) => decimal(value, 2);
    const value = damage(target?.index ?? 0);
    const largest = this.rows.reduce((most, i) => Math.max(most, value(i) ?? 0), 0);
    const others = this.ledger.targets.filter((one) => one !== target);
    return [
      { id: 'label', label: 'Weapon', file: 'weapon', width: narrow.matches ? 150 : 264, pin: true, header: true, class: 'name', value: (i) => weapons.label[i], fill: (cell, i) => fillWeapon(cell, weapons, i) },
      { ...numberColumn('target', target?.head ?? 'Damage', 130, value, two, { help: `Expected damage against ${target?.name ?? 'the target'}`, file: `expected_damage_${target?.id}` }), fill: (cell, i) => fillMetered(cell, value(i), largest, two) },
      { id: 'unit', label: 'Unit', width: 200, value: (i) => `${weapons.unit[i]} (${weapons.edition[i]})`, fill: (cell, i) => cell.append(nameLine(sheetLink(this.ledger, weapons.sheet[i]), tagOf(weapons.edition[i]))) },
      textColumn('stats', 'Profile', 244, (i) => weapons.stats[i], { fixed: true, class: 'dim' }),
      textColumn('abilities', 'Abilities', 170, (i) => weapons.abilities[i] || NONE, { fixed: true, class: 'dim' }),
      numberColumn('share', 'Share of the unit’s cost', 110, (i) => weapons.share[i], (v) => decimal(v, 1), { help: 'The unit’s smallest price divided by its models, in points; not a price of the weapon', file: 'share_of_the_units_cost' }),
      ...others.map((one) => numberColumn(`t-${one.id}`, one.head, 96, damage(one.index), two, { help: `Expected damage against ${one.name}`, file: `expected_damage_${one.id}` })),
    ];
  }
}

function fillWeapon(cell, weapons, i) {
  const left = weapons.not_modelled[i];
  const tags = [left && tagOf('not all modelled', `Not simulated: ${left.replaceAll('_', ' ')}`), availabilityTag(weapons.availability[i])];
  cell.append(nameLine(weapons.label[i], ...tags.filter(Boolean)));
  cell.title = weapons.label[i];
}
