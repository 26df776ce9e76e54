// The efficiency that moved since an earlier run: damage per point of each unit and phase against each target.

const CAUSES = {
  points: 'points', size: 'size', rules: 'edition of the rules', weapons: 'weapon profiles',
  equipment: 'equipment, or how it is computed',
};

/** A share as a signed change in per cent, better or worse for its points: the sign says what the colour says. */
function changeMark(share) {
  if (isNothing(share)) return el('span', { class: 'dim' }, NONE);
  if (Math.abs(share) < 0.0005) return el('span', { class: 'dim' }, '0.0 %');
  return el('span', { class: share > 0 ? 'cheaper' : 'dearer' }, `${share > 0 ? '+' : '−'}${decimal(100 * Math.abs(share), 1)} %`);
}

/** From a value to another, or the one that both are. */
const fromTo = (before, now) => (before === now ? integer(now) : `${integer(before)} → ${integer(now)}`);

/** A table of what moved; unitOf writes the unit. */
function efficiencyTable(ledger, { targets, rows }, unitOf) {
  const known = targets.map((id) => ledger.targets.find((target) => target.id === id));
  const heads = [['Unit', 'clip pin'], ['Mean', 'number'], ['Phase'], ['Because of'], ['Points', 'number'], ['Models', 'number'], ...known.map((target, index) => [target?.head ?? targets[index], 'number narrow'])];
  const lines = rows.map((row) => [
    unitOf(row), el('b', {}, changeMark(row.mean_change)), row.phase === 'all' ? 'Both' : (PHASE_NAMES[row.phase] ?? row.phase), row.causes.map((cause) => CAUSES[cause]).join(', ') || NONE,
    fromTo(row.points_before, row.points_now), fromTo(row.models_before, row.models_now), ...row.change.map(changeMark),
  ]);
  return simpleTable('Damage per point', heads, lines);
}
