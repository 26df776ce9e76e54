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

  async show(state) {
    this.state = state;
    const weapons = this.ledger.weapons();
    const part = state.against ? await this.ledger.unitTargets() : null;
    if (this.state !== state) return; // another target was chosen meanwhile
    const target = this.targetOf(state, part);
    const all = Array.from({ length: weapons.count }, (_, index) => index);
    const matches = matcher(state.q);
    const kept = all.filter((i) => (state.legends !== 'hide' || weapons.availability[i] !== 'legends')
      && (!state.type || weapons.attack_type[i] === state.type)
      && (!state.faction || weapons.faction[i] === state.faction)
      && (!state.edition || weapons.edition[i] === state.edition)
      && matches(weapons.searchable[i]));
    const damage = (one) => (one?.damage ?? ((i) => weapons.byTarget[one?.index ?? 0]?.[i] ?? null));
    const byLabel = ordered(kept, (i) => weapons.labelRank[i], 'asc');
    this.rows = ordered(ordered(byLabel, damage(target), 'desc'), this.key(weapons, state, damage(target), damage), state.wdir);
    this.columns = this.columnsOf(weapons, target, damage);
    say('weapons-count', `${integer(this.rows.length)} of ${integer(weapons.count)} rows`);
    byId('weapons-answer').replaceChildren('Expected damage of one weapon in one activation against ', target?.isUnit ? nameOf(target.name) : (target?.name ?? 'each target'), `, then against every ${target?.isUnit ? 'archetype' : 'other target'}.`);
    byId('weapons-rough').hidden = !part;
    byId('weapons-rough').textContent = part ? (target.problem ?? `${roughWords(part)}${part.complete.weapons ? '' : ` ${tooMany('weapons', 'matchups')}`}`) : '';
    this.table.show({
      columns: this.columns, rows: this.rows, deep: narrow.matches, sort: state.wsort, dir: state.wdir,
      empty: noWeaponWords(weapons, state),
    });
  }

  /** The chosen archetype, or the unit with what each weapon does to it. */
  targetOf(state, part) {
    if (!part) return this.ledger.targets.find((one) => one.id === state.target);
    const { sheets } = this.ledger;
    const sheet = sheets.place.get(state.against);
    const problem = noSuchTarget(this.ledger, part, sheet);
    if (problem) return { id: 'unit', isUnit: true, name: sheets.name[sheet], head: 'No figures', problem, damage: () => null };
    const { edition } = this.ledger.weapons();
    const targets = new Map([...new Set(edition)].map((one) => [one, part.target(sheet, one)]));
    return { ...targetOfSheet(this.ledger, sheet), damage: (i) => part.weaponDamage(i, targets.get(edition[i])) };
  }

  key(weapons, state, chosen, damage) {
    if (state.wsort === 'label') return (i) => weapons.labelRank[i];
    if (state.wsort === 'unit') return (i) => weapons.unitRank[i];
    if (state.wsort === 'share') return (i) => weapons.share[i];
    const other = this.ledger.targets.find((target) => `t-${target.id}` === state.wsort);
    return other ? damage(other) : chosen;
  }

  columnsOf(weapons, target, damage) {
    const two = (value) => decimal(value, 2);
    const value = damage(target);
    const show = target?.isUnit ? roughly : two;
    const largest = this.rows.reduce((most, i) => Math.max(most, value(i) || 0), 0);
    const others = this.ledger.targets.filter((one) => one !== target);
    return [
      { id: 'label', label: 'Weapon', file: 'weapon', width: narrow.matches ? 200 : 264, pin: true, header: true, class: 'name', value: (i) => weapons.label[i], fill: (cell, i) => fillWeapon(cell, this.ledger, i) },
      { ...numberColumn('target', shortened(target?.head ?? 'Damage', 60), 130, value, show, { help: `Expected damage against ${target?.name ?? 'the target'}`, file: `expected_damage_${target?.id}` }), fill: (cell, i) => fillMetered(cell, value(i), largest, show) },
      { id: 'unit', label: 'Unit', width: 200, value: (i) => `${weapons.unit[i]} (${weapons.edition[i]})`, fill: (cell, i) => cell.append(nameLine(sheetLink(this.ledger, weapons.sheet[i]), tagOf(weapons.edition[i]))) },
      textColumn('stats', 'Profile', 244, (i) => weapons.stats[i], { fixed: true, class: 'dim' }),
      textColumn('abilities', 'Abilities', 170, (i) => weapons.abilities[i] || NONE, { fixed: true, class: 'dim' }),
      ...others.map((one) => numberColumn(`t-${one.id}`, one.head, 96, damage(one), two, { help: `Expected damage against ${one.name}`, file: `expected_damage_${one.id}` })),
      numberColumn('share', 'Share of the unit’s cost', 110, (i) => weapons.share[i], (v) => decimal(v, 1), { help: 'The unit’s smallest price divided by its models, in points; not a price of the weapon', file: 'share_of_the_units_cost' }),
    ];
  }
}

/** Why no weapon stands there: what the ledger has none of at all, else the filters. */
function noWeaponWords(weapons, state) {
  if (!weapons.count) return 'No source of this ledger lists weapons: put units’ own pages under raw/ and run again.';
  if (state.type && !weapons.attack_type.includes(state.type)) return `This ledger has no ${state.type} weapon.`;
  if (state.faction && !weapons.faction.includes(state.faction)) return 'No source of this ledger lists weapons of this faction.';
  if (state.edition && !weapons.edition.includes(state.edition)) return 'No source of this ledger lists weapons of this edition.';
  return 'No weapon passes these filters together. Clear one, or try fewer letters in the search.';
}

function fillWeapon(cell, ledger, i) {
  const weapons = ledger.weapons();
  const left = weapons.not_modelled[i];
  const tags = [left && tagOf('not all modelled', `Not simulated: ${left.replaceAll('_', ' ')}`), availabilityTag(weapons.availability[i])];
  const shown = tags.filter(Boolean);
  cell.title = weapons.label[i];
  if (!narrow.matches) { cell.append(nameLine(weaponLink(ledger, i), ...shown)); return; }
  // A phone shows no other column beside the figure: whose weapon it is and its profile stand under the name.
  cell.append(nameLine(weaponLink(ledger, i)), el('div', { class: 'under' }, ...shown, nameOf(`${shortened(weapons.unit[i], 60)} (${weapons.edition[i]}) · ${weapons.stats[i]}`, 200)));
}
