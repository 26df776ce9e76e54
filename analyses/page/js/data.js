// The data: unpacked once, then columns and lookups that the views share.

/** What base64 of gzip holds, to be read as text or bytes. */
function inflated(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

/** The text of an embedded element. */
async function unpacked(id) {
  const element = byId(id);
  const text = element.textContent.trim();
  element.remove();
  return inflated(text).text();
}

let chartLibrary = null;

/** The chart library, set up when a chart is first wanted: most visits never need it. Its hash is in the policy. */
function charts() {
  chartLibrary ??= unpacked('library').then((text) => {
    document.head.append(el('script', { textContent: text }));
    return window.echarts;
  });
  return chartLibrary;
}

/** A part of the data that is unpacked when it is first asked for. */
function later(id, read) {
  let part = null;
  return () => { part ??= unpacked(id).then((text) => read(JSON.parse(text))); return part; };
}

const delivered = new Map();
window.warledgerData = (name, stamp, ...parts) => delivered.set(name, { stamp, parts });

/** A data file isn't there, or belongs to another page; the message says what helps. */
class DataFileError extends Error {}

/** The packed parts of a file beside the page, which is a script: a page opened from a file can't read others. */
function partsOf(name, stamp) {
  return new Promise((resolve, reject) => {
    const script = el('script', { src: `data/${name}.js` });
    const fail = (what) => reject(new DataFileError(`The file data/${name}.js ${what}`));
    script.addEventListener('error', () => { script.remove(); fail('isn’t there. It belongs beside this page: copy the folder data with index.html, or run the pipeline again.'); });
    script.addEventListener('load', () => {
      script.remove();
      const found = delivered.get(name);
      delivered.delete(name);
      if (found?.stamp === stamp) resolve(found.parts);
      else fail('is from another run than this page. Reload the page; if it stays so, run the pipeline again.');
    });
    document.head.append(script);
  });
}

/** A data file that is loaded when it is first asked for, and again after a failure. */
function beside(name, stamp, read) {
  let part = null;
  return () => { part ??= partsOf(name, stamp).then(read).catch((error) => { part = null; throw error; }); return part; };
}

const decoded = ({ texts, codes }) => codes.map((code) => (code < 0 ? null : texts[code]));

/** Place of each text in alphabetical order, the same for the same text, so that sorting compares numbers. */
function ranked(texts) {
  const order = texts.map((_, index) => index).sort((a, b) => (texts[a] === texts[b] ? a - b : collator.compare(texts[a], texts[b]) || (texts[a] < texts[b] ? -1 : 1)));
  const ranks = new Int32Array(texts.length);
  order.forEach((index, rank) => {
    const before = order[rank - 1];
    ranks[index] = texts[index] === texts[before] ? ranks[before] : rank;
  });
  return ranks;
}

/** Every preferred datasheet, ranked or not. */
function readSheets(raw) {
  const faction = decoded(raw.faction).map((name) => name ?? 'No faction');
  const collection = decoded(raw.collection);
  const edition = decoded(raw.edition);
  const availability = decoded(raw.availability);
  return {
    ...raw, faction, collection, edition, availability,
    count: raw.id.length,
    place: new Map(raw.id.map((id, sheet) => [id, sheet])),
    hasLegends: availability.includes('legends'),
    inEditions: inSeveralEditions([raw.canonical, raw.name], edition),
    held: raw.held.map((held) => new Set(held)),
    nameRank: ranked(raw.name),
    factionRank: ranked(faction),
    editionRank: ranked(edition),
    searchable: raw.name.map((name, sheet) => folded(`${name} ${faction[sheet]} ${collection[sheet] ?? ''}`)),
  };
}

/** Ranked units: a datasheet's columns by unit, and the figures of its size. */
function readUnits(raw, sheets) {
  const ofSheet = (column) => raw.sheet.map((sheet) => column[sheet]);
  const units = {
    count: raw.sheet.length, sheet: raw.sheet, ruleset: decoded(raw.ruleset), models: raw.models, points: raw.points,
    ofSheet: sheets.name.map(() => []),
  };
  for (const name of ['name', 'faction', 'collection', 'edition', 'availability', 'held', 'nameRank', 'factionRank', 'editionRank', 'searchable']) units[name] = ofSheet(sheets[name]);
  raw.sheet.forEach((sheet, unit) => units.ofSheet[sheet].push(unit));
  return units;
}

/** Units that stand in more than one edition, by any of the columns that tell units apart. */
function inSeveralEditions(columns, edition) {
  const found = new Set();
  for (const column of columns) {
    const editions = new Map();
    column.forEach((same, unit) => editions.set(same, (editions.get(same) ?? new Set()).add(edition[unit])));
    column.forEach((same, unit) => editions.get(same).size > 1 && found.add(unit));
  }
  return found;
}

/** Targets with a short name for column heads: what stands before the bracket, told apart by what stands in it. */
function readTargets(raw) {
  const targets = raw.id.map((id, index) => {
    const [, short, detail] = /^(.*?)\s*\((.*)\)$/.exec(raw.name[index]) ?? [null, raw.name[index], ''];
    return {
      id, index, short, detail, name: raw.name[index], description: raw.description[index],
      models: raw.models[index], wounds: raw.wounds[index] * raw.models[index], points: raw.points[index],
    };
  });
  for (const target of targets) {
    const shared = targets.some((other) => other !== target && other.short === target.short);
    target.head = shared ? `${target.short} ${target.detail.split(' ')[0]}` : target.short;
  }
  return targets;
}

/** Reference attackers, named as targets are. */
function readAttackers(raw) {
  return raw.map((attacker, index) => {
    const [, short] = /^(.*?)\s*\(.*\)$/.exec(attacker.name) ?? [null, attacker.name];
    return { ...attacker, index, short };
  });
}

function readScenarios(raw) {
  return raw.id.map((id, index) => ({
    id, index, name: raw.name[index], description: raw.description[index], applies: raw.applies_to[index],
  }));
}

/** Outcomes as typed columns with the two per-point metrics; NaN where a price is unknown. */
function readOutcomes(raw, units, targets) {
  const count = raw.unit.length;
  const column = (values) => Float64Array.from(values);
  const outcomes = {
    count,
    unit: new Int32Array(count),
    phase: raw.phase.codes,
    phases: raw.phase.texts,
    target: raw.target,
    scenario: raw.scenario,
    loadout: raw.loadout.codes,
    loadouts: raw.loadout.texts,
    damage: column(raw.damage),
    destroyed: column(raw.destroyed),
    p: column(raw.p),
    d100: new Float64Array(count),
    pd100: new Float64Array(count),
  };
  let unit = 0;
  for (let row = 0; row < count; row += 1) {
    unit += raw.unit[row];
    outcomes.unit[row] = unit;
    const points = units.points[unit];
    const target = targets[outcomes.target[row]];
    const worth = target.points === null ? NaN : target.points / target.models;
    outcomes.d100[row] = points ? (100 * outcomes.damage[row]) / points : NaN;
    outcomes.pd100[row] = points ? (100 * outcomes.destroyed[row] * worth) / points : NaN;
  }
  return outcomes;
}

/** For each scenario: the row of a unit, phase and target, or -1. */
function lookupsOf(outcomes, units, targets, scenarios) {
  const size = units.count * outcomes.phases.length * targets.length;
  const lookups = scenarios.map(() => new Int32Array(size).fill(-1));
  for (let row = 0; row < outcomes.count; row += 1) {
    const key = keyOf(outcomes.phases.length, targets.length, outcomes.unit[row], outcomes.phase[row], outcomes.target[row]);
    lookups[outcomes.scenario[row]][key] = row;
  }
  return lookups;
}

const keyOf = (phases, targets, unit, phase, target) => (unit * phases + phase) * targets + target;

function readWeapons(raw, sheets) {
  const weapons = { count: raw.range.length, sheet: raw.sheet, byTarget: raw.by_target, share: raw.share, line: raw.line };
  for (const [name, column] of Object.entries(raw)) if (column.codes) weapons[name] = decoded(column);
  for (const [name, column] of [['unit', sheets.name], ['faction', sheets.faction], ['edition', sheets.edition], ['availability', sheets.availability]]) weapons[name] = raw.sheet.map((sheet) => column[sheet]);
  weapons.label = weapons.weapon_name.map((name, i) => (weapons.profile_name[i] ? `${name} – ${weapons.profile_name[i]}` : name));
  weapons.stats = weapons.label.map((_, i) => [
    weapons.attack_type[i] === 'melee' ? 'melee' : `${raw.range[i] ?? '–'}″`,
    `A${weapons.attacks[i]}`,
    raw.skill[i] === null ? 'auto' : `${raw.skill[i]}+`,
    `S${weapons.strength[i]}`,
    `AP${String(raw.armour_penetration[i]).replace('-', '−')}`,
    `D${weapons.damage[i]}`,
  ].join('  '));
  weapons.searchable = weapons.label.map((label, i) => folded(`${label} ${weapons.unit[i]} ${weapons.faction[i]} ${weapons.abilities[i]}`));
  weapons.labelRank = ranked(weapons.label);
  weapons.unitRank = ranked(weapons.unit);
  weapons.ofSheet = sheets.name.map(() => []);
  raw.sheet.forEach((sheet, weapon) => weapons.ofSheet[sheet].push(weapon));
  [weapons.key, weapons.place] = keysOf(weapons, sheets);
  return weapons;
}

/** A short name of each weapon for links, the same from run to run, and the weapons by it: the sheet's id and a hash of
 *  the weapon's name; one of several that share both is counted. */
function keysOf(weapons, sheets) {
  const place = new Map();
  const keys = weapons.label.map((label, weapon) => {
    const plain = `${sheets.id[weapons.sheet[weapon]]}.${hashed(`${label} ${weapons.attack_type[weapon]}`)}`;
    let key = plain;
    for (let again = 2; place.has(key); again += 1) key = `${plain}.${again}`;
    place.set(key, weapon);
    return key;
  });
  return [keys, place];
}

/** FNV-1a over code units, 32 bits. */
function hashed(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Facts of datasheets: for each table a function from a sheet to its rows, as records. */
function readDetails(raw, count) {
  const rowsOf = {};
  for (const [name, { columns, rows }] of Object.entries(raw.tables)) {
    const bySheet = Array.from({ length: count }, () => []);
    for (const row of rows) bySheet[row[0]].push(row);
    rowsOf[name] = (sheet) => bySheet[sheet].map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index + 1]])));
  }
  return { rowsOf, laws: raw.laws };
}

/** Everything the views read. Weapons, details and changes are worked out when first asked for. */
async function openLedger() {
  const raw = JSON.parse(await unpacked('data'));
  const sheets = readSheets(raw.sheets);
  const units = readUnits(raw.units, sheets);
  const targets = readTargets(raw.targets);
  const attackers = readAttackers(raw.attackers);
  const scenarios = readScenarios(raw.scenarios);
  const outcomes = readOutcomes(raw.outcomes, units, targets);
  let weapons = null;
  const file = (name, read) => beside(name, raw.files[name], async ([part]) => read(JSON.parse(await inflated(part).text())));
  return {
    ...raw, sheets, units, targets, attackers, scenarios, outcomes,
    lookups: lookupsOf(outcomes, units, targets, scenarios),
    weapons: () => { weapons ??= readWeapons(raw.weapons, sheets); return weapons; },
    details: later('details', (details) => readDetails(details, sheets.count)),
    unitTargets: beside('unit_targets', raw.files.unit_targets, (parts) => readUnitTargets(parts, sheets)),
    weaponLaws: file('weapon_laws', (laws) => laws),
    durability: file('durability', (durability) => readDurability(durability, attackers)),
    rules: file('rules', (rules) => readRules(rules, { sheets, detachments: raw.detachments })),
    combinations: file('combinations', (combinations) => readCombinations(combinations, raw)),
    changes: later('changes', (changes) => changes),
  };
}
