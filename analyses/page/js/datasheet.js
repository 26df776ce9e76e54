// One datasheet: what it is, what its weapons do, where each fact comes from, and what isn't counted; what the unit does
// to each target stands in datasheet_results.js.

const inches = (value) => (isNothing(value) ? NONE : `${value}″`);
const plus = (value) => (isNothing(value) ? NONE : `${value}+`);
const scoped = (value, scope) => (isNothing(value) ? NONE : `${value}+${scope ? ` (${scope})` : ''}`);
const SOURCES = { text_dump: 'text dump', html_page: 'HTML page', csv_export: 'CSV export', community_dataset: 'community data set' };
const sourceWords = (text) => (text ? Object.entries(SOURCES).reduce((words, [id, name]) => words.replace(id, name), text) : 'unknown');
const listed = (items) => (items?.length ? items.map((item) => shortened(item, 120)).join(', ') : null);
const modelsWords = ({ models, models_max: most }) => (most && most !== models ? `${integer(models)} to ${integer(most)}` : integer(models));

const UNREAD = { partly: 'text read in part', not_modelled: 'text about damage not read' };

/** Which copies of a unit a price is for. */
function copiesWords({ copies_from: from, copies_to: to }) {
  if (from === null || (from === 1 && to === null)) return null;
  if (to === null) return `from copy ${from} on`;
  return from === to ? `copy ${from}` : `copies ${from} to ${to}`;
}

const priceWords = (cost) => [{ base: null, add_on: 'added', alternative: 'alternative' }[cost.kind], cost.item && shortened(cost.item, 80), cost.condition && shortened(cost.condition, 160), copiesWords(cost)].filter(Boolean).join(', ');

/** Size and price of a ranked datasheet. */
function sizeWords({ units }, sheet) {
  const own = units.ofSheet[sheet];
  if (!own.length) return 'not ranked';
  const prices = [...new Set(own.map((unit) => units.points[unit]))].filter((points) => points !== null).sort((a, b) => a - b);
  const price = prices.length ? `${prices.slice(0, 1).concat(prices.slice(1).slice(-1)).map(integer).join(' to ')} points` : 'no price';
  return `${countOf(units.models[own[0]], ['model', 'models'])}, ${price}`;
}

class Datasheet {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.picker = new Picker(byId('datasheet-picker'), { id: 'f-sheet', things: sheetsToPick(ledger), label: 'Find a datasheet', onPick: (sheet) => update({ sheet: ledger.sheets.id[sheet] }) });
    this.results = new SheetResults(ledger, update);
    this.rules = el('div', { id: 'datasheet-worth' });
    byId('datasheet-compare').addEventListener('click', () => this.compare());
    narrow.addEventListener('change', () => this.state && this.show(this.state));
  }

  compare() {
    const units = new ComparedUnits(this.ledger);
    const chosen = units.chosen(this.state).filter((sheet) => sheet !== this.sheet).slice(0, MOST_COMPARED - 1);
    this.update({ view: 'compare', what: 'units', ...units.change([...chosen, this.sheet]) });
  }

  async show(state) {
    this.state = state;
    const { ledger } = this;
    const before = this.sheet;
    this.sheet = ledger.sheets.place.get(state.sheet);
    const body = byId('datasheet-body');
    this.picker.name(this.sheet === undefined ? 'Find a datasheet' : 'Another datasheet');
    byId('datasheet-compare').hidden = this.sheet === undefined;
    if (this.sheet === undefined) {
      byId('h-datasheet').textContent = 'Datasheet';
      byId('datasheet-answer').textContent = 'Find a unit by its name, or choose one in the leaderboard.';
      body.replaceChildren();
      return;
    }
    this.head();
    this.details = await ledger.details();
    if (this.state !== state) return; // another one was chosen meanwhile
    const of = (name) => this.details.rowsOf[name](this.sheet);
    if (this.sheet !== before) this.rules.replaceChildren(nothing('Reading what rules add …'));
    redraw(body,
      ...this.statLines(of), el('div', { class: 'columns' }, el('div', {}, ...this.prices(of)), el('div', {}, ...this.models(of))),
      ...this.worth(of), this.rules, ...this.weapons(), ...this.abilities(of), ...this.provenance(of), ...this.notModelled(of));
    await fillWorth(ledger, state, this.sheet, this.rules, () => this.state === state);
  }

  head() {
    const { sheets } = this.ledger;
    const { sheet } = this;
    byId('h-datasheet').replaceChildren(nameOf(sheets.name[sheet], 120));
    const tags = [tagOf(sheets.edition[sheet], 'Edition of the datasheet', 'edition'), availabilityTag(sheets.availability[sheet])].filter(Boolean);
    const places = [sheets.faction[sheet], sheets.collection[sheet]].filter((text, index, all) => text && all.indexOf(text) === index);
    byId('datasheet-answer').replaceChildren(...tags.flatMap((tag) => [tag, ' ']), ...places.flatMap((text, index) => [index ? ' · ' : '', nameOf(text, 80)]), ` · ${sizeWords(this.ledger, sheet)}`);
  }

  statLines(of) {
    const rows = of('models').map((one) => [one.model_name, inches(one.movement), integer(one.toughness), plus(one.save), this.invulnerable(one), integer(one.wounds), plus(one.leadership), integer(one.objective_control), scoped(one.feel_no_pain, one.feel_no_pain_scope), one.base_size]);
    if (!rows.length) return section('Stat line', nothing('No source gives this unit’s stat line.'));
    const heads = [['Model', 'clip'], ['M', 'number'], ['T', 'number'], ['Sv', 'number'], ['Inv', 'number'], ['W', 'number'], ['Ld', 'number'], ['OC', 'number'], ['FNP', 'number'], ['Base']];
    const damaged = of('damaged').map((one) => el('p', { class: 'note' }, `Damaged, ${one.wounds_from} to ${one.wounds_to} wounds left: ${[one.hit_modifier && `${one.hit_modifier} to hit`.replace('-', '−'), one.objective_control_modifier && `${one.objective_control_modifier} OC`.replace('-', '−')].filter(Boolean).join(', ') || shortened(one.text ?? 'see its text', 300)}. Not in the figures below.`));
    return [...section('Stat line', simpleTable('Stat line', heads, rows)), ...damaged];
  }

  invulnerable(one) {
    const better = isNothing(one.improved_invulnerable_save) ? '' : `, ${scoped(one.improved_invulnerable_save, one.improved_invulnerable_save_scope)}`;
    return `${scoped(one.invulnerable_save, one.invulnerable_save_scope)}${better}`;
  }

  prices(of) {
    const rows = of('costs').map((cost) => [modelsWords(cost), integer(cost.points), priceWords(cost), cost.priced_at]);
    if (!rows.length) return section('Points', nothing('No source gives a price. Nothing is assumed: this unit has no figure per point.'));
    return section('Points', simpleTable('Points', [['Models', 'number'], ['Points', 'number'], ['For'], ['Of']], rows.map((row) => row.map((cell) => cell || NONE))));
  }

  models(of) {
    const rows = of('composition').map((one) => [one.min_models === one.max_models ? integer(one.min_models) : `${integer(one.min_models)} to ${integer(one.max_models)}`, one.model_name, listed(one.default_weapons) ?? 'unknown']);
    const loadouts = of('loadouts').map((one) => [integer(one.models), integer(one.points), one.loadout]);
    const options = of('options').map((one) => el('li', {}, this.optionWords(one)));
    return [
      ...(rows.length ? section('Models and default wargear', simpleTable('Models and default wargear', [['Models', 'number'], ['Kind'], ['Carries']], rows)) : section('Models and default wargear', nothing('No source lists the models.'))),
      ...of('uncarried').map((one) => el('p', { class: 'note' }, `The source’s gap: an option replaces ${shortened(one.weapon, 80)}, which no model carries by default there. Nothing is guessed: where a model should carry it, its figures lack it.`)),
      ...(loadouts.length ? [el('details', {}, el('summary', {}, `Loadouts computed: ${integer(loadouts.length)}`), el('div', { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': 'Loadouts computed' }, simpleTable('Loadouts computed', [['Models', 'number'], ['Points', 'number'], ['Loadout']], loadouts)))] : []),
      ...(options.length ? [el('details', {}, el('summary', {}, `Wargear options: ${integer(options.length)}`), el('ul', { class: 'plain' }, ...options))] : []),
    ];
  }

  optionWords(one) {
    if (one.text) return el('bdi', {}, one.text);
    const gains = listed(one.gains) ?? 'something the source doesn’t name';
    const words = one.action === 'replace' && one.replaces?.length ? `${listed(one.replaces)} → ${gains}` : `+ ${gains}`;
    return el('bdi', {}, shortened([words, one.eligibility].filter(Boolean).join(', '), 300));
  }

  /** What it does, or why there are no figures of it. */
  worth(of) {
    if (this.ledger.units.ofSheet[this.sheet].length) return this.results.sections(this.state, this.sheet, this.details.laws);
    const reasons = [...new Set(of('unknown').map((one) => one.reason))];
    return section('What it does to each target', nothing(`Not ranked: ${reasons.length ? shortened(reasons.join('; '), 400) : 'no weapon of it attacks'}.`));
  }

  /** Each profile of one bearer in the plain scenario. */
  weapons() {
    const { ledger, state } = this;
    const weapons = ledger.weapons();
    const own = weapons.ofSheet[this.sheet];
    if (!own.length) return section('Each weapon against each target', nothing('No source lists weapons of this unit.'));
    const ordered = [...own].sort((a, b) => (weapons.attack_type[a] < weapons.attack_type[b] ? 1 : -1) * (weapons.attack_type[a] !== weapons.attack_type[b]) || weapons.labelRank[a] - weapons.labelRank[b]);
    const best = ledger.targets.map((target) => Math.max(0, ...own.map((weapon) => weapons.byTarget[target.index][weapon] ?? 0)));
    const head = el('tr', {}, el('th', { scope: 'col', class: 'pin' }, 'Weapon'), ...ledger.targets.map((target) => el('th', { scope: 'col', title: target.name }, target.short, el('small', {}, target.detail))));
    const body = ordered.map((weapon) => el('tr', {}, this.weaponCell(weapons, weapon), ...ledger.targets.map((target) => {
      const value = weapons.byTarget[target.index][weapon] ?? null;
      return this.weaponFigure(weapon, target, value, value === null ? null : shareOf(value, state.scale, best[target.index], Math.max(...best)));
    })));
    const columns = el('colgroup', {}, el('col', { class: 'first' }), ...ledger.targets.map(() => el('col')));
    return [...sectionWith('Each weapon against each target', this.colours(), withOneStop(el('table', { class: 'heat weapons', 'aria-label': 'Each weapon against each target' }, columns, el('thead', {}, head), el('tbody', {}, ...body)))),
      el('p', { class: 'note' }, 'Mean wounds one bearer’s one profile takes off in one activation, plain scenario. Colour compares the weapons of this unit, within each column or over the whole table. Choose a figure to see how it can turn out; arrow keys go from figure to figure.')];
  }

  /** How the cells of the weapons' table are coloured. */
  colours() {
    const { scale } = this.state;
    const ramp = el('span', { class: 'legend', hidden: scale === 'plain' }, '0', el('span', { class: 'ramp', ariaHidden: 'true' }), scale === 'column' ? 'the column’s best' : 'the table’s best');
    return chooser('scale', { id: 'f-sheet-scale', label: 'Colour', options: [['column', 'within each column'], ['absolute', 'over the whole table'], ['plain', 'none, figures only']], value: scale }, ramp);
  }

  /** A figure that leads to how one activation of the weapon against the target can turn out. */
  weaponFigure(weapon, target, value, share) {
    if (value === null) return el('td', { class: 'none', title: 'Not simulated' }, NONE);
    const { label, key } = this.ledger.weapons();
    const words = `${shortened(label[weapon], 80)} against ${target.name}: ${decimal(value, 2)}`;
    const button = el('button', { type: 'button', title: words, 'aria-label': words }, decimal(value, 2));
    button.addEventListener('click', () => this.update({ view: 'compare', what: 'weapons', weapons: withWeapon(this.state, key[weapon]), target: target.id }));
    if (share !== null) paint(button, share);
    return el('td', {}, button);
  }

  weaponCell(weapons, weapon) {
    const abilities = weapons.abilities[weapon];
    return el('th', { scope: 'row', class: 'pin stacked' }, weaponLink(this.ledger, weapon),
      el('small', { title: abilities }, [weapons.stats[weapon], shortened(abilities, 160)].filter(Boolean).join(' · ')));
  }

  abilities(of) {
    const kinds = { core: 'Core', faction: 'Faction', datasheet: 'Datasheet', wargear: 'Wargear' };
    const items = of('abilities').map((one) => el('li', {}, el('b', {}, nameOf([one.name, one.parameter].filter(Boolean).join(' '), 120)), el('span', { class: 'dim' }, ` ${kinds[one.kind] ?? one.kind}`), ...(one.status ? [' ', tagOf(UNREAD[one.status], one.clause ?? '')] : []), ...(one.text ? [el('div', { class: 'dim' }, el('bdi', {}, one.text))] : [])));
    const words = of('keywords').map((one) => tagOf(shortened([one.keyword, one.model_name && `(${one.model_name})`].filter(Boolean).join(' '), 60), one.is_faction_keyword ? 'Faction keyword' : 'Keyword', one.is_faction_keyword ? 'edition' : ''));
    const leads = of('leads').map((one) => one.leads);
    const stratagems = this.ledger.stratagems.filter((one) => one.units.includes(`${this.ledger.sheets.name[this.sheet]} (${this.ledger.sheets.edition[this.sheet]})`)).length;
    return [
      el('h2', {}, 'Abilities and keywords'),
      items.length ? el('ul', { class: 'plain' }, ...items) : nothing('No source lists abilities of this unit.'),
      el('p', { class: 'tags' }, ...words.flatMap((word) => [word, ' '])),
      ...(leads.length ? [el('p', { class: 'note' }, 'Can lead: ', el('bdi', {}, shortened(leads.join(', '), 600)))] : []),
      ...(stratagems ? [el('p', { class: 'note' }, el('a', { href: addressWith({ view: 'stratagems', unit: `${this.ledger.sheets.name[this.sheet]} (${this.ledger.sheets.edition[this.sheet]})`, q: '' }) }, `Its own page lists ${countOf(stratagems, ['stratagem', 'stratagems'])}`), '; they are not in the figures.')] : []),
    ];
  }

  /** For each fact the place that it comes from. */
  provenance(of) {
    const weapons = this.ledger.weapons();
    const lines = weapons.ofSheet[this.sheet].map((weapon) => [weapons.label[weapon], weapons.line[weapon]]).filter(([, line]) => line !== null);
    const distinct = (values) => [...new Set(values)].map((value) => shortened(value ?? 'unknown', 160)).join('; ') || 'unknown';
    const rows = of('documents').flatMap((one) => [
      ['Datasheet', `${one.path}${one.line === null ? '' : `, line ${one.line}`}`, `${SOURCES[one.source_kind] ?? one.source_kind}${one.dated ? ` of ${one.dated}` : ''}${one.status === 'parsed' ? '' : `, ${one.status}`}`],
      ['Name', `from the ${spaced(one.name_source)}`, null],
      ['Edition', this.ledger.sheets.edition[this.sheet], one.edition_source === 'printed' ? 'printed in the document' : one.edition_source === 'declared_default' ? 'assumed: the document doesn’t say' : null],
    ]);
    rows.push(['Stat line', distinct(of('models').map((one) => sourceWords(one.stat_source))), null]);
    rows.push(['Default wargear', distinct(of('composition').map((one) => sourceWords(one.default_weapons_source))), null]);
    rows.push(['Points', distinct(of('costs').map((one) => (one.priced_at ? `of ${one.priced_at}` : 'undated'))), of('costs').length ? 'same document' : null]);
    if (lines.length) rows.push(['Weapons', shortened(lines.map(([name, line]) => `${shortened(name, 60)} line ${line}`).join(', '), 1200), 'same document']);
    rows.push(['Results', `computed by Warledger ${this.ledger.run?.code_version ?? ''}, ${this.ledger.sheets.edition[this.sheet]} rules`, 'exact']);
    const conflicts = of('conflicts').map((one) => [one.field, one.value, SOURCES[one.source_kind] ?? one.source_kind, one.dated, one.won ? 'yes' : 'no']);
    return [
      ...section('Where the numbers come from', simpleTable('Where the numbers come from', [['What'], ['From'], ['How']], rows)),
      ...(conflicts.length ? section('Where sources disagree', simpleTable('Where sources disagree', [['Field'], ['Value'], ['Source'], ['Of'], ['Taken']], conflicts)) : []),
    ];
  }

  notModelled(of) {
    const weapons = this.ledger.weapons();
    const items = [];
    for (const weapon of weapons.ofSheet[this.sheet]) if (weapons.not_modelled[weapon]) items.push(`${shortened(weapons.label[weapon], 80)}: ${spaced(weapons.not_modelled[weapon])} isn’t simulated.`);
    for (const target of of('as_target')) {
      if (target.not_modelled?.length) items.push(`As a target: ${listed(target.not_modelled)} protects it and isn’t, or not wholly, applied.`);
      if (target.is_simplified) items.push('As a target of single weapons, its several kinds of models stand as the most numerous one, or its size is taken from another source.');
    }
    for (const one of of('uncarried')) items.push(`${shortened(one.weapon, 80)}, unless an option gives it: by the source’s default wargear nobody carries it, though an option replaces it.`);
    for (const one of of('abilities')) if (one.status) items.push(`${shortened(one.name, 80)}, ${UNREAD[one.status]}${one.clause ? `: ${one.clause}` : ''}`);
    const own = of('abilities').filter((one) => ['datasheet', 'wargear', 'faction'].includes(one.kind)).map((one) => one.name);
    if (own.length) items.push(`When it attacks, its abilities beyond those of its weapons: ${shortened(own.join(', '), 600)}.`);
    items.push('Range and movement, as everywhere in this ledger; leaders, stratagems and enhancements count only where rules are compared.');
    return [el('h2', {}, 'What isn’t counted'), el('ul', { class: 'plain bullets' }, ...items.map((text) => el('li', {}, el('bdi', {}, text))))];
  }
}
