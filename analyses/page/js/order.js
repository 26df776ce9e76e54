// Orders of rows by one number each. Only numbers are sorted, natively: a comparing function would be called a million
// times for the largest ledger.

const MANY_ROWS = 10000;

/** Rows by a value of theirs, unknown ones last in either direction; equal ones keep the order that they come in. */
function ordered(rows, value, dir) {
  const count = rows.length;
  const values = new Float64Array(count);
  for (let i = 0; i < count; i += 1) values[i] = value(rows[i]) ?? NaN;
  const rising = values.slice().sort();
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    let place = count; // after every known one
    if (!Number.isNaN(values[i])) {
      place = firstPlace(rising, values[i]);
      if (dir === 'desc') place = count - 1 - place;
    }
    keys[i] = place * count + i;
  }
  keys.sort();
  const result = new Int32Array(count);
  for (let i = 0; i < count; i += 1) result[i] = rows[keys[i] % count];
  return result;
}

/** The first place of a value in rising values; unknown ones stand at their end. */
function firstPlace(rising, value) {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Outcomes in the order of a column. Few are sorted when they are asked for; many are picked from an order of all that
 *  is worked out once for each column, so that a filter takes no sorting. */
class Orders {
  constructor(ledger) {
    this.ledger = ledger;
    this.kept = new Map();
    // Worked out while the reader looks at the first view, not before it.
    if (ledger.outcomes.count > MANY_ROWS) (window.requestIdleCallback ?? setTimeout)(() => this.base());
  }

  of(rows, sort, dir) {
    const value = this.valueOf(sort);
    if (rows.length <= MANY_ROWS) return ordered(this.settled(rows), value, dir);
    const wanted = new Uint8Array(this.ledger.outcomes.count);
    for (let i = 0; i < rows.length; i += 1) wanted[rows[i]] = 1;
    const order = this.keep(`${sort} ${dir}`, () => ordered(this.base(), value, dir));
    const picked = new Int32Array(rows.length);
    let count = 0;
    for (let i = 0; i < order.length; i += 1) if (wanted[order[i]]) { picked[count] = order[i]; count += 1; }
    return picked;
  }

  base() {
    return this.keep('', () => this.settled(Int32Array.from({ length: this.ledger.outcomes.count }, (_, row) => row)));
  }

  /** The order that settles ties: more damage per point, more points destroyed, then the alphabet; the same everywhere. */
  settled(rows) {
    const byName = ordered(rows, this.valueOf('unit'), 'asc');
    return ordered(ordered(byName, this.valueOf('pd100'), 'desc'), this.valueOf('d100'), 'desc');
  }

  keep(name, make) {
    if (!this.kept.has(name)) this.kept.set(name, make());
    return this.kept.get(name);
  }

  valueOf(sort) {
    const { outcomes, units } = this.ledger;
    const ofUnit = { unit: units.nameRank, faction: units.factionRank, edition: units.editionRank, models: units.models, points: units.points };
    if (ofUnit[sort]) return (row) => ofUnit[sort][outcomes.unit[row]];
    return (row) => outcomes[sort][row];
  }
}
