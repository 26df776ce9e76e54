// What a detachment's rules and stratagems do together for one attack: what each further CP buys, and which part carries it.

const MOST_CP = 3;
const MOST_OPEN = 12; // detachments without a combination: more are folded

/** The data file: for each detachment, phase and target the units that gain most, with their use of each number of CP. */
function readCombinations(raw, ledger) {
  const phases = decoded(raw.phase);
  const effects = decoded(raw.effect);
  const byPlace = new Map(); // detachment, phase and target: units with their uses
  let detachment = 0;
  raw.sheet.forEach((sheet, row) => {
    detachment += raw.detachment[row];
    const place = `${detachment} ${phases[row]} ${raw.target[row]}`;
    const units = byPlace.get(place) ?? byPlace.set(place, new Map()).get(place);
    const parts = raw.used[raw.set[row]].map((part, index) => ({ name: raw.parts[part], lost: raw.lost[row][index] / raw.cents }));
    const use = { cp: raw.cp[row], parts, effect: effects[row], gained: raw.gained[row] / raw.cents, damage: raw.damage[row] / raw.cents };
    units.set(sheet, [...(units.get(sheet) ?? []), use]);
  });
  const placeOf = new Map(ledger.detachments.map(({ id }, index) => [id, index]));
  const none = new Map();
  const unitsOf = (id, phase, target) => byPlace.get(`${placeOf.get(id)} ${phase} ${target}`) ?? none;
  /** Wanted units of a detachment against a target in a phase, the one that gains most first. */
  const find = (id, phase, target, isWanted) => {
    return [...unitsOf(id, phase, target)].filter(([sheet]) => isWanted(sheet, 'plain')).map(([sheet, uses]) => ({ sheet, phase, uses, most: Math.max(...uses.map(({ gained }) => gained)) })).sort((a, b) => b.most - a.most);
  };
  const count = (id, phase, target, isWanted) => [...unitsOf(id, phase, target).keys()].filter((sheet) => isWanted(sheet, 'plain')).length;
  return { find, count, missing: raw.missing, isEmpty: byPlace.size === 0 };
}

class Combinations {
  constructor(ledger) {
    this.ledger = ledger;
  }

  async show(state) {
    this.state = state;
    const combinations = await this.ledger.combinations();
    if (this.state !== state) return;
    const { find } = combinations;
    const isWanted = wantedUsers(this.ledger, state.legends);
    this.isEmpty = combinations.isEmpty;
    this.missing = combinations.missing;
    this.counts = this.countsUnder(state, combinations.count);
    const target = this.ledger.targets.find(({ id }) => id === state.target);
    const phases = state.phase === 'all' ? this.ledger.outcomes.phases : [state.phase];
    this.of = (detachment) => (target ? phases.flatMap((phase) => find(detachment.id, phase, target.index, isWanted)).sort((a, b) => b.most - a.most) : []);
    this.target = target;
    const chosen = this.ledger.detachments.find(({ id }) => id === state.detachment);
    if (chosen) this.detachment(chosen);
    else this.overview();
  }

  /** For each filter and option the rows that it would give: units of a chosen detachment, else detachments. */
  countsUnder(state, count) {
    const { detachments, targets, outcomes, sheets } = this.ledger;
    const units = (id, { phase, target, legends }) => indices(outcomes.phases, phase).reduce((sum, one) => sum + count(id, outcomes.phases[one], targets.findIndex((other) => other.id === target), wantedUsers(this.ledger, legends)), 0);
    const rows = (changed) => (changed.detachment ? units(changed.detachment, changed) : detachments.filter(({ id, faction }) => (!changed.faction || faction === changed.faction) && units(id, changed)).length);
    const options = {
      target: targets.map(({ id }) => id), legends: ['hide', 'show'], phase: [...outcomes.phases, 'all'],
      faction: [ANY, ...new Set(sheets.faction)], detachment: [ANY, ...detachments.map(({ id }) => id)],
    };
    return Object.fromEntries(Object.entries(options).map(([name, ids]) => [name, new Map(ids.map((id) => [id, rows({ ...state, [name]: id })]))]));
  }

  /** Every detachment with its best unit for each number of CP, as a way in. */
  overview() {
    const { detachments } = this.ledger;
    const all = detachments.filter(({ faction }) => !this.state.faction || faction === this.state.faction);
    const found = all.map((detachment) => ({ detachment, best: bestOfCp(this.of(detachment)) })).filter(({ best }) => best.length).sort((a, b) => b.best.at(-1).most - a.best.at(-1).most);
    this.rows = found.flatMap(({ detachment, best }) => best.map((unit) => ({ detachment, ...unit })));
    const without = this.without(all, found);
    say('rules-count', `${countOf(found.length, ['detachment', 'detachments'])}${without.length ? '; those without a combination stand below, with the reason' : ''}`);
    byId('rules-answer').textContent = this.target ? `What a detachment’s rules and stratagems add together to one attack ${againstWords('attacker', this.target)}. Choose a detachment to see its units.` : 'The ledger has no target.';
    const title = 'Detachments by what their best unit gains';
    const numbers = numbersOfCp(this.rows);
    const lines = found.map(({ detachment, best }) => [this.detachmentCell(detachment, best), ...numbers.map((cp) => this.bestCell(best.find(({ uses: [use] }) => use.cp === cp)))]);
    const table = simpleTable(title, [['Detachment', 'pin'], ...cpHeads(numbers)], lines);
    table.classList.add('overview');
    byId('rules-together').replaceChildren(el('div', { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': title }, lines.length ? table : nothing(this.isEmpty ? 'No combination is compared in this ledger: its sources carry no texts of stratagems or detachment rules that change an attack in words that are understood. Put texts under raw/ and run again.' : 'No combination is compared here: the numbers behind the targets, phases and factions say where there are some.')), ...without, togetherNote({ parts: false }));
  }

  /** A detachment as the way to its units; on a phone the best of them stands beneath. */
  detachmentCell(detachment, best) {
    return el('div', {}, ...detachmentLines(detachment, { detachment: detachment.id }), ...(narrow.matches ? [this.unitLine(best.at(-1))] : []));
  }

  bestCell(unit) {
    if (!unit) return noMore();
    const gained = el('b', {}, signedPoints(unit.most));
    return narrow.matches ? gained : el('div', { title: unit.uses[0].effect }, gained, this.unitLine(unit));
  }

  unitLine({ sheet, phase, uses }) {
    return el('div', { class: 'under' }, narrow.matches ? `${uses[0].cp} CP: ` : '', sheetLink(this.ledger, sheet, 60), ...(this.state.phase === 'all' ? [`, ${lowered(PHASE_NAMES[phase] ?? phase)}`] : []));
  }

  /** The detachments without a combination here, each with the reason. */
  without(all, found) {
    const shown = new Set([...found.map(({ detachment }) => detachment.id), ...this.missing.map(({ id }) => id)]);
    const elsewhere = all.filter(({ id }) => !shown.has(id)).map((detachment) => [detachment, 'Nothing is combined against this target in this phase: another one has some.', 'attacker']);
    const missing = this.missing.filter(({ faction }) => !this.state.faction || faction === this.state.faction)
      .map((detachment) => [detachment, missingWords(detachment), detachment.has.some((what) => what !== 'defender') ? 'attacker' : 'defender'])
      .sort(([a], [b]) => Math.min(1, b.has.length) - Math.min(1, a.has.length));
    const rows = [...missing, ...elsewhere];
    if (!rows.length || this.isEmpty) return [];
    const title = 'Detachments without a combination here';
    const lines = rows.map(([detachment, words, side]) => [el('div', {}, ...detachmentLines(detachment, detachment.has?.length === 0 ? null : { show: 'single', kind: 'all', side, detachment: detachment.id })), words]);
    const table = simpleTable(title, [['Detachment'], ['Why']], lines);
    table.classList.add('overview');
    return [el('details', { open: rows.length <= MOST_OPEN }, el('summary', {}, `${countOf(rows.length, ['detachment', 'detachments'])} without a combination here, and why`), boxOf(title, table))];
  }

  detachment(detachment) {
    const units = this.of(detachment);
    this.rows = units.map((unit) => ({ detachment, ...unit }));
    say('rules-count', `${countOf(units.length, ['unit', 'units'])}, those that gain most`);
    this.answer(detachment, units[0]);
    const missing = this.missing.find(({ id }) => id === detachment.id);
    const title = `Best use of 0 to ${MOST_CP} CP, unit by unit`;
    const numbers = numbersOfCp(units);
    const heads = [['Unit', 'clip pin'], ...this.phaseHead(), ...cpHeads(numbers)];
    const lines = units.map(({ sheet, phase, uses }) => [
      el('div', {}, sheetLink(this.ledger, sheet, 60), el('div', { class: 'under' }, this.ledger.sheets.edition[sheet])), ...this.phaseCell(phase), ...cpCells(numbers, uses),
    ]);
    const table = simpleTable(title, heads, lines);
    table.classList.add('together');
    byId('rules-together').replaceChildren(el('div', { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': title }, lines.length ? table : nothing(missing ? missingWords(missing) : 'Nothing that is compared changes an attack of this detachment’s units here: the numbers behind the targets and phases say where something does.')), togetherNote({ parts: true }));
  }

  /** A column of phases where both are shown. */
  phaseHead() {
    return this.state.phase === 'all' ? [['Phase']] : [];
  }

  phaseCell(phase) {
    return this.state.phase === 'all' ? [PHASE_NAMES[phase] ?? phase] : [];
  }

  answer(detachment, best) {
    const place = byId('rules-answer');
    if (!best) { place.replaceChildren(nameOf(detachmentWords(detachment), 120), this.target ? ` adds nothing that is compared ${againstWords('attacker', this.target)}.` : '.'); return; }
    const use = best.uses.find(({ gained }) => gained === best.most);
    place.replaceChildren(el('strong', {}, sheetLink(this.ledger, best.sheet)), ' gains most in ', nameOf(detachmentWords(detachment), 120), ` ${againstWords('attacker', this.target)}: `,
      el('strong', {}, `${signedPoints(use.gained)} points’ worth of wounds for ${use.cp} CP`), `, ${decimal(use.damage, 2)} wounds in all.`);
  }

  save() {
    const rows = this.rows.flatMap((row) => row.uses.map((use) => ({ ...row, ...use })));
    const { sheets } = this.ledger;
    const columns = [
      { id: 'detachment', value: ({ detachment }) => detachment.name }, { id: 'faction', value: ({ detachment }) => detachment.faction }, { id: 'edition', value: ({ detachment }) => detachment.edition }, { id: 'unit', value: ({ sheet }) => sheets.name[sheet] }, { id: 'phase', value: ({ phase }) => phase }, { id: 'target', value: () => this.target.name },
      { id: 'cp', value: ({ cp }) => cp }, { id: 'parts', value: ({ parts }) => parts.map(({ name }) => name).join(' + ') }, { id: 'points_lost_without', value: ({ parts }) => parts.map(({ lost }) => lost).join(' + ') }, { id: 'effect', value: ({ effect }) => effect }, { id: 'points_gained', value: ({ gained }) => gained }, { id: 'expected_damage', value: ({ damage }) => damage },
    ];
    download('warledger-combinations.csv', csvOf(columns, rows));
  }
}

/** The numbers of CP with which some unit can do more than with fewer. */
const numbersOfCp = (units) => Array.from({ length: MOST_CP + 1 }, (_, cp) => cp).filter((cp) => units.some(({ uses }) => uses.some((use) => use.cp === cp)));

const cpHeads = (numbers) => numbers.map((cp) => [`${cp} CP`, 'number cp-cell']);

/** A detachment's name as a link to a state, if there is one, and under it whose it is. */
function detachmentLines({ name, faction, edition }, change) {
  const words = change ? el('a', { class: 'sheet-link', href: addressWith(change) }, nameOf(name, 60)) : nameOf(name, 60);
  return [words, el('div', { class: 'under' }, nameOf([faction, edition].filter(Boolean).join(', '), 60))];
}

/** For each number of CP the points gained and what each part carries; a dot where no more can be done than with fewer. */
const cpCells = (numbers, uses) => numbers.map((cp) => {
  const use = uses.find((one) => one.cp === cp);
  if (!use) return noMore();
  const items = use.parts.map(({ name, lost }) => el('li', {}, nameOf(name, 60), ' ', el('span', { class: 'carried', title: `Without it ${signedPoints(lost)} points fewer` }, signedPoints(lost))));
  return el('div', { title: use.effect }, el('b', {}, signedPoints(use.gained)), el('ul', { class: 'parts' }, ...items));
});

/** The unit that gains most with each number of CP, with that one use, where that is more than any gains with fewer. */
function bestOfCp(units) {
  const found = [];
  for (const cp of Array(MOST_CP + 1).keys()) {
    const uses = units.flatMap((unit) => unit.uses.filter((use) => use.cp === cp).map((use) => ({ ...unit, uses: [use], most: use.gained })));
    const best = uses.reduce((most, one) => (most && most.most >= one.most ? most : one), null);
    if (best && best.most > (found.at(-1)?.most ?? 0)) found.push(best);
  }
  return found;
}

/** Why nothing of a detachment is combined, by what of it is compared one by one. */
function missingWords({ has }) {
  if (!has.length) return 'No rule or stratagem of it could be compared.';
  const words = { plain: 'what changes nothing alone in the plain scenario', mortal: 'mortal wounds beside attacks', defender: 'rules for the attacked side', enhancement: 'enhancements' };
  const where = has.filter((what) => !words[what]).map((what) => SITUATIONS[what][1]).join(', or ');
  return `Compared one by one: ${[...(where ? [`rules that count where ${where}`] : []), ...has.map((what) => words[what]).filter(Boolean)].join('; ')}.`;
}

const noMore = () => el('span', { class: 'dim', title: 'No more can be done than with fewer CP' }, el('span', { ariaHidden: 'true' }, '·'), el('span', { class: 'unseen' }, 'no more than with fewer'));

const togetherNote = ({ parts }) => el('p', { class: 'note' }, `In bold the points’ worth of wounds that one activation takes off more than without any rule of the detachment; ${parts ? 'under it each part with what is lost if it alone is left out' : 'with it the unit that gains most, which may be another one for other CP'}. A dot: nothing more can be done than with fewer CP. Every condition is taken to hold; smallest size. Only attacks in the plain scenario are combined: rules one by one may count in cover or after a charge, or be mortal wounds beside attacks, which stand in no combination.`);
