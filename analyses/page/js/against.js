// Any unit as the target, in the plain scenario: what the units of the user's own pages and every weapon do to it. The
// figures come from a data file in one byte each; how far the worst one is off is said wherever they stand.

const UNMET = 255;

/** Two digits: more would claim what the rounding lost. */
const roughly = (value) => (isNothing(value) ? NONE : value === 0 ? '0' : `≈ ${Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 4 })}`);

/** The data file: who meets which unit, and the damage of each. */
async function readUnitTargets([packedHead, packedCodes], sheets) {
  const head = JSON.parse(await inflated(packedHead).text());
  const codes = new Uint8Array(await inflated(packedCodes).arrayBuffer());
  const { least, ratio, error } = head.scale;
  const damage = Float64Array.from({ length: 256 }, (_, code) => (code === UNMET ? NaN : code === 0 ? 0 : least * ratio ** (code - 1)));
  const targetsOf = {}; // for each edition of an attacker: the target of each canonical unit
  for (const [edition, targets] of Object.entries(head.met)) {
    targetsOf[edition] = new Map(targets.map((target) => [sheets.canonical[head.targets.sheet[target]], target]));
  }
  const ownCodes = codes.subarray(codes.length - head.units.sheet.length * head.targets.sheet.length);
  return {
    error, complete: head.complete, units: head.units, sheetOf: head.targets.sheet,
    target: (sheet, edition) => targetsOf[edition]?.get(sheets.canonical[sheet]) ?? -1,
    weaponDamage: (weapon, target) => (target < 0 || head.weapons[weapon] < 0 ? NaN : damage[codes[head.weapons[weapon] * head.columns + head.targets.column[target]]]),
    unitDamage: (unit, target) => (target < 0 ? NaN : damage[ownCodes[unit * head.targets.sheet.length + target]]),
    used: (unit, target) => head.units.used.codes[unit * head.targets.sheet.length + target],
  };
}

/** A unit as views show a target. */
function targetOfSheet({ sheets }, sheet) {
  const name = `${shortened(sheets.name[sheet], 80)} (${sheets.edition[sheet]})`;
  return { id: 'unit', index: 0, isUnit: true, name, short: name, head: name, detail: '', description: '', models: 1, points: null };
}

/** A ledger of one target, for the views that rank units: own units against it, plain. */
function ledgerAgainst(ledger, part, sheet) {
  const { sheets } = ledger;
  const { units: raw } = part;
  const units = readUnits(raw, sheets);
  const found = raw.sheet.map((own, unit) => part.target(sheet, sheets.edition[own])).map((target, unit) => ({ unit, target, damage: part.unitDamage(unit, target) }))
    .filter(({ damage }) => !Number.isNaN(damage));
  const phases = ledger.outcomes.phases;
  const column = (valueOf) => Float64Array.from(found, valueOf);
  const none = column(() => NaN);
  const outcomes = {
    count: found.length, phases,
    unit: Int32Array.from(found, ({ unit }) => unit),
    phase: found.map(({ unit }) => phases.indexOf(raw.phase[unit])),
    target: found.map(() => 0),
    scenario: found.map(() => 0),
    loadout: found.map(({ unit, target }) => part.used(unit, target)), loadouts: raw.used.texts,
    damage: column(({ damage }) => damage),
    d100: column(({ unit, damage }) => (raw.points[unit] ? (100 * damage) / raw.points[unit] : NaN)),
    destroyed: none, p: none, pd100: none,
  };
  const targets = [targetOfSheet(ledger, sheet)];
  const scenarios = ledger.scenarios.filter(({ id }) => id === 'plain').map((one) => ({ ...one, index: 0 }));
  return {
    ...ledger, units, targets, scenarios, outcomes, lookups: lookupsOf(outcomes, units, targets, scenarios), rough: true,
    standIn: (unit) => standIn(ledger, part, sheet, sheets.edition[raw.sheet[unit]]),
  };
}

/** The edition whose stat line an attacker of an edition meets, where it isn't its own. */
function standIn({ sheets }, part, sheet, edition) {
  const target = part.target(sheet, edition);
  const met = target < 0 ? edition : sheets.edition[part.sheetOf[target]];
  return met === edition ? null : met;
}

/** By how much figures against units are rounded, and what they are for. */
const roughWords = (part) => `Rounded to one of 254 steps: at most ${decimal(100 * part.error, 1)} % off. Plain scenario.`;

/** What stands where a link's unit, or its figures, aren't there. */
function noSuchTarget(ledger, part, sheet) {
  if (sheet === undefined) return 'This ledger has no such unit: it may have gone since the link was made. Choose another target.';
  const met = [...new Set(ledger.sheets.edition)].some((edition) => part.target(sheet, edition) >= 0);
  return met ? null : 'No source gives this unit’s Toughness, Wounds and Save, so nothing is computed against it.';
}
