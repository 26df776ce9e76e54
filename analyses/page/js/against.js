// Any unit as the target, in the plain scenario: what every unit and every weapon does to it. The figures come from a
// data file in one byte each; how far the worst one is off is said wherever they stand.

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
  const size = head.units.sheet.length * head.unit_columns;
  const unitCodes = codes.subarray(codes.length - 2 * size, codes.length - size);
  const picked = codes.subarray(codes.length - size);
  const cell = (unit, target) => head.units.row[unit] * head.unit_columns + head.targets.unit_column[target];
  return {
    error, complete: head.complete, units: head.units, attacks: head.attacks, sheetOf: head.targets.sheet,
    target: (sheet, edition) => targetsOf[edition]?.get(sheets.canonical[sheet]) ?? -1,
    weaponDamage: (weapon, target) => (target < 0 || head.weapons[weapon] < 0 ? NaN : damage[codes[head.weapons[weapon] * head.columns + head.targets.column[target]]]),
    unitDamage: (unit, target) => (target < 0 || head.targets.unit_column[target] < 0 ? NaN : damage[unitCodes[cell(unit, target)]]),
    attackOf: (unit, target) => head.units.first[unit] + (target < 0 || head.targets.unit_column[target] < 0 ? 0 : picked[cell(unit, target)]),
  };
}

/** A unit as views show a target. */
function targetOfSheet({ sheets }, sheet) {
  const name = `${shortened(sheets.name[sheet], 80)} (${sheets.edition[sheet]})`;
  return { id: 'unit', index: 0, isUnit: true, name, short: name, head: name, detail: '', description: '', models: 1, points: null };
}

/** A ledger of one target, for the views that rank units: each at the price of what it attacks this target with. */
function ledgerAgainst(ledger, part, sheet) {
  const { sheets } = ledger;
  const { units: raw, attacks } = part;
  const target = Object.fromEntries([...new Set(sheets.edition)].map((edition) => [edition, part.target(sheet, edition)]));
  const targetOf = raw.sheet.map((own) => target[sheets.edition[own]]);
  const attackOf = targetOf.map((met, unit) => part.attackOf(unit, met));
  const units = readUnits({ ...raw, points: attackOf.map((attack) => attacks.points[attack]) }, sheets);
  const found = targetOf.map((met, unit) => ({ unit, damage: part.unitDamage(unit, met) })).filter(({ damage }) => !Number.isNaN(damage));
  const phases = ledger.outcomes.phases;
  const column = (valueOf) => Float64Array.from(found, valueOf);
  const none = column(() => NaN);
  const outcomes = {
    count: found.length, phases,
    unit: Int32Array.from(found, ({ unit }) => unit),
    phase: found.map(({ unit }) => phases.indexOf(raw.phase[unit])),
    target: found.map(() => 0),
    scenario: found.map(() => 0),
    loadout: found.map(({ unit }) => attacks.used.codes[attackOf[unit]]), loadouts: attacks.used.texts,
    damage: column(({ damage }) => damage),
    d100: column(({ unit, damage }) => (units.points[unit] ? (100 * damage) / units.points[unit] : NaN)),
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

/** What stands where there were too many figures to carry. */
const tooMany = (what, table) => `The ledger is too large for the page to carry the ${what}: the table ${table} of the warehouse has them.`;

/** What stands where a unit has no figures. */
function noSuchTarget(ledger, part, sheet) {
  const met = [...new Set(ledger.sheets.edition)].some((edition) => part.target(sheet, edition) >= 0);
  return met ? null : 'No source gives this unit’s Toughness, Wounds and Save, so nothing is computed against it.';
}
