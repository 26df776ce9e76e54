// What an enemy must bring to destroy a unit, for each 100 points of it.

/** The data file: for each datasheet that is a target the figures of each reference attacker. */
function readDurability(raw, attackers) {
  const place = new Map(raw.sheet.map((sheet, row) => [sheet, row]));
  const of = (name, scale) => (row, attacker) => { const value = raw.by_attacker[name][attacker][row]; return value === null ? NaN : value / scale; };
  const weapons = of('weapons', 1);
  const toDestroy = (row, attacker) => (weapons(row, attacker) * attackers[attacker].points) / attackers[attacker].count;
  return {
    row: (sheet) => place.get(sheet) ?? -1,
    models: raw.models, points: raw.points, weapons, toDestroy,
    damage: of('damage', 100), destroyed: of('destroyed', 100), p: of('p', 1),
    /** Points that the enemy needs for each 100 of the unit: of one attacker, or the median over all. */
    per100: (row, attacker) => (attacker < 0 ? (raw.median[row] ?? NaN) : raw.points[row] ? (100 * toDestroy(row, attacker)) / raw.points[row] : NaN),
  };
}

/** A datasheet's section: what each reference attacker needs. */
function destroySection({ attackers }, part, sheet) {
  const title = 'What it takes to destroy it';
  const row = part.row(sheet);
  if (row < 0) return section(title, nothing('No source gives this unit’s Toughness, Wounds and Save, so nothing is computed against it.'));
  const heads = [['Attacked by', 'clip pin'], ['Points to destroy 100 of its points', 'number narrow'], ['Points to destroy all of it', 'number narrow'], ['Weapons needed', 'number narrow'], ['One volley: wounds', 'number narrow'], ['One volley: models', 'number narrow'], ['One volley: P(destroy)', 'number narrow'], ['One volley: points', 'number narrow']];
  const most = Math.max(...attackers.map((_, attacker) => part.per100(row, attacker)).filter((value) => !Number.isNaN(value)), 0);
  const rows = attackers.map((attacker, index) => [
    el('span', { title: attacker.description }, attacker.name), metered(part.per100(row, index), most, integer), integer(part.toDestroy(row, index)), integer(part.weapons(row, index)),
    decimal(part.damage(row, index), 2), decimal(part.destroyed(row, index), 2), percent(part.p(row, index)), integer(attacker.points),
  ]);
  const median = part.per100(row, -1);
  const endless = attackers.some((_, index) => isNothing(part.weapons(row, index)));
  const words = isNothing(median)
    ? (part.points[row] ? 'For most of these attackers a thousand weapons aren’t enough.' : 'No source gives a price, so there is no figure per point of it.')
    : `Half of these attackers need at least ${integer(median)} points for each 100 points of it.`;
  return [...section(title, simpleTable(title, heads, rows)), el('p', { class: 'note' }, `${words}${endless ? ` “${NONE}”: a thousand of these weapons aren’t enough, or the unit is too large for it to be followed.` : ''} ${countOf(part.models[row], ['model', 'models'])}, ${part.points[row] ? `${integer(part.points[row])} points` : 'no price'}; the fewest weapons that destroy it with a chance of 80 %, each used once, one after the other, in the plain scenario. The price of the attacker pays for its bodies too.`)];
}
