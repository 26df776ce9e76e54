// What changed since an earlier published run: efficiency, datasheets, points, weapon profiles, rules texts.

const dateWords = (text) => `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
const FIELD_NAMES = { attack_type: 'Type', range_inches: 'Range', attacks: 'A', skill: 'Skill', strength: 'S', armour_penetration: 'AP', damage: 'D', abilities: 'Abilities' };

/** How many things differ. */
const sizeOf = ({ totals }) => totals.sheets + totals.costs + totals.profiles + totals.rules;

/** A value of a profile's field as players write it. */
function fieldWords(name, value) {
  if (value === null || value === '') return name === 'abilities' ? 'none' : NONE;
  if (name === 'range_inches') return `${value}″`;
  if (name === 'skill') return `${value}+`;
  return name === 'abilities' ? spaced(value) : String(value).replace(/^-/, '−');
}

/** Words that differ, each kind marked by its element, its line and a sign, never by colour alone. */
function wordsOf(runs) {
  return el('p', { class: 'text words' }, ...runs.flatMap(([kind, text]) => {
    if (kind === 'left out') return [el('span', { class: 'dim' }, `… ${countOf(Number(text), ['word', 'words'])} …`), ' '];
    if (kind === 'same') return [el('bdi', {}, text), ' '];
    return [el(kind === 'gone' ? 'del' : 'ins', {}, el('span', { class: 'unseen' }, kind === 'gone' ? 'removed: ' : 'added: '), el('bdi', {}, text)), ' '];
  }));
}

class Changes {
  constructor(ledger) {
    this.ledger = ledger;
    this.shownRules = 40;
  }

  async show(state) {
    this.state = state;
    const { since, runs } = await this.ledger.changes();
    if (this.state !== state) return;
    if (Number(state.since) > 0 && Number(state.since) >= since.length) { refuse('since'); return; }
    const body = byId('changes-body');
    byId('f-since').closest('p').hidden = since.length < 2;
    if (!since.length) {
      byId('changes-answer').textContent = runs ? 'This is the first run in this warehouse.' : 'The warehouse holds no run.';
      body.replaceChildren(nothing('Nothing to compare with yet. Each run keeps its points, weapon profiles and rules texts: add or replace documents under raw/, or update the community data set, run again, and what changed stands here.'));
      return;
    }
    if (!byId('f-since').options.length) byId('f-since').append(...since.map(({ run }, index) => option(String(index), `${dateWords(run.finished_at)}${index ? '' : ', the run before'}`)));
    const chosen = since[Number(state.since)];
    byId('f-since').value = String(since.indexOf(chosen));
    this.matches = matcher(state.q);
    this.draw(chosen, since);
  }

  draw(chosen, since) {
    const { totals, run } = chosen;
    const sum = sizeOf(chosen);
    const list = [[totals.sheets, ['datasheet', 'datasheets']], [totals.costs, ['price', 'prices']], [totals.profiles, ['weapon profile', 'weapon profiles']], [totals.rules, ['rules text', 'rules texts']]];
    const parts = list.filter(([count]) => count).map(([count, words]) => countOf(count, words));
    if (chosen.efficiency.total) parts.push(`the damage per point of ${countOf(chosen.efficiency.units, ['unit', 'units'])}`);
    byId('changes-answer').textContent = sum + chosen.efficiency.total === 0
      ? `Nothing differs from the run of ${dateWords(run.finished_at)}.${since.some((other) => sizeOf(other) + other.efficiency.total) ? ' An earlier one does: choose it below.' : ''}`
      : `Since the run of ${dateWords(run.finished_at)}: ${parts.join(', ')}.`;
    byId('changes-body').replaceChildren(...this.efficiency(chosen), ...this.sheets(chosen), ...this.costs(chosen), ...this.profiles(chosen), ...this.rules(chosen), ...this.unknown(chosen));
  }

  /** What the earlier run kept nothing of, so that it isn't known to have changed. */
  unknown({ known, efficiency }) {
    const parts = [[known.costs, 'points'], [known.profiles, 'weapon profiles'], [known.rules, 'rules texts'], [efficiency.known, 'damage per point']].filter(([is]) => !is).map(([, words]) => [words]);
    return parts.length ? [el('p', { class: 'note' }, 'The earlier run kept no ', ...series(parts), ', so nothing is said of that.')] : [];
  }

  /** A part with its heading, where something changed: what it shows of how many. */
  part(title, chosen, kind, known, rows, make) {
    if (!known || !chosen.totals[kind]) return [];
    const shown = rows.filter((row) => this.matches(folded(`${row.unit ?? row.name ?? row.title} ${row.faction ?? ''} ${row.weapon ?? ''}`)));
    const left = chosen.totals[kind] - rows.length;
    const notes = [
      shown.length < rows.length && `${integer(shown.length)} of ${integer(rows.length)} pass the search.`,
      left > 0 && `${integer(left)} more are left out here; the history tables of the warehouse have them.`,
    ].filter(Boolean).join(' ');
    const content = shown.length ? make(shown) : [el('p', { class: 'dim' }, 'None passes the search. Try fewer letters.')];
    return [el('h2', {}, `${title} (${integer(chosen.totals[kind])})`), ...(notes ? [el('p', { class: 'note' }, notes)] : []), ...content];
  }

  unitOf(row) {
    const sheet = this.ledger.sheets.place.get(row.unit_id);
    return el('span', {}, sheet === undefined ? nameOf(row.unit ?? row.name) : sheetLink(this.ledger, sheet), ...(row.edition ? [' ', tagOf(row.edition, 'Edition')] : []));
  }

  efficiency(chosen) {
    const { known, total, rows } = chosen.efficiency;
    return this.part('Damage per point', { totals: { efficiency: total } }, 'efficiency', known, rows, (shown) => [
      el('div', { class: 'table-box short', tabIndex: 0, role: 'region', 'aria-label': 'Damage per point' }, efficiencyTable(this.ledger, { ...chosen.efficiency, rows: shown }, (row) => this.unitOf(row))),
      el('p', { class: 'note' }, `By how much damage per point moved against each target, and on (geometric) average: the unit at its smallest size with its best loadout, plain scenario. Rows are units and phases that moved by more than half a per cent against some target; “${NONE}”: against this one nothing is taken off on one side.`)]);
  }

  sheets(chosen) {
    return this.part('Datasheets', chosen, 'sheets', true, chosen.sheets, (rows) => [
      this.box('Datasheets', [['Datasheet'], ['Faction'], ['State']], rows.map((row) => [this.unitOf(row), row.faction, row.is_now ? tagOf('new', 'Not in the earlier run', 'come') : tagOf('gone', 'Only in the earlier run', 'gone')]))]);
  }

  costs(chosen) {
    const changed = new Set(chosen.profiles.map((one) => one.unit_id));
    return this.part('Points', chosen, 'costs', chosen.known.costs, chosen.costs, (rows) => [
      this.box('Points', [['Unit'], ['Models', 'number'], ['Before', 'number'], ['Now', 'number'], ['Change', 'number'], ['Damage per point', 'number'], ['For'], ['Faction']], rows.map((row) => [
        this.unitOf(row), modelsWords(row), integer(row.before), integer(row.after), this.step(row), this.perPoint(row, changed), priceWords(row) || NONE, row.faction])),
      el('p', { class: 'note' }, 'Damage per point is what the same attacks are worth at the new price: old price ÷ new price. Where the weapons changed too, that isn’t known from the prices.')]);
  }

  step({ before, after }) {
    if (before === null) return tagOf('new', 'A price that the earlier run didn’t have', 'come');
    if (after === null) return tagOf('gone', 'The earlier run had this price', 'gone');
    const dearer = after > before;
    return el('span', { class: dearer ? 'dearer' : 'cheaper' }, `${dearer ? '▲ +' : '▼ −'}${integer(Math.abs(after - before))} (${dearer ? '+' : '−'}${decimal(100 * Math.abs(after / before - 1), 1)} %)`);
  }

  perPoint({ before, after, kind, unit_id: id }, changed) {
    if (before === null || after === null || kind !== 'base') return NONE;
    if (changed.has(id)) return 'weapons changed too';
    const share = before / after - 1;
    return `${share > 0 ? '+' : '−'}${decimal(100 * Math.abs(share), 1)} %`;
  }

  profiles(chosen) {
    return this.part('Weapon profiles', chosen, 'profiles', chosen.known.profiles, chosen.profiles, (rows) => [
      this.box('Weapon profiles', [['Unit'], ['Weapon'], ['What changed']], rows.map((row) => [this.unitOf(row), row.profile ? `${row.weapon} – ${row.profile}` : row.weapon, this.fields(row)]))]);
  }

  fields(row) {
    if (!row.was || !row.is_now) {
      const line = row.fields.map(([name, before, after]) => `${FIELD_NAMES[name]} ${fieldWords(name, row.was ? before : after)}`).join(', ');
      return el('span', {}, row.is_now ? tagOf('new', 'Not in the earlier run', 'come') : tagOf('gone', 'Only in the earlier run', 'gone'), ' ', el('bdi', {}, shortened(line, 400)));
    }
    return el('span', { class: 'fields' }, ...row.fields.flatMap(([name, before, after], index) => [index ? '; ' : '', `${FIELD_NAMES[name]} `,
      el('del', {}, el('span', { class: 'unseen' }, 'was '), el('bdi', {}, shortened(fieldWords(name, before), 200))), ' → ', el('ins', {}, el('bdi', {}, shortened(fieldWords(name, after), 200)))]));
  }

  rules(chosen) {
    return this.part('Rules texts', chosen, 'rules', chosen.known.rules, chosen.rules, (rows) => {
      const list = el('div', { class: 'cards wide-cards' }, ...rows.slice(0, this.shownRules).map((rule) => this.card(rule)));
      const leftOut = el('span', { class: 'printed' }, leftOutWords(Math.min(rows.length, this.shownRules), rows.length, ['text', 'texts']));
      const more = el('button', { type: 'button', hidden: rows.length <= this.shownRules }, `Show all ${integer(rows.length)}`);
      more.addEventListener('click', () => { const cards = rows.slice(this.shownRules).map((rule) => this.card(rule)); list.append(...cards); more.hidden = true; leftOut.remove(); focusOn(cards[0]); });
      return [list, el('p', { class: 'more' }, more, leftOut)];
    });
  }

  card(rule) {
    const state = !rule.was ? tagOf('new', 'Not in the earlier run', 'come') : !rule.is_now ? tagOf('gone', 'Only in the earlier run', 'gone') : tagOf('reworded', 'Another wording under the same title', 'edition');
    const same = rule.words?.every(([kind]) => kind === 'same' || kind === 'left out');
    const text = !rule.words ? el('p', { class: 'dim' }, 'Too long to compare word by word.') : same ? el('p', { class: 'dim' }, 'Only the spacing changed.') : wordsOf(rule.words);
    const whole = rule.was && rule.is_now ? text : el('details', {}, el('summary', {}, 'The text'), text);
    return el('article', { class: 'card' }, el('header', {}, el('h3', { title: rule.title }, nameOf(rule.title, 120)), state), el('p', { class: 'meta' }, spaced(rule.kind)), whole);
  }

  box(label, heads, rows) {
    return el('div', { class: 'table-box short', tabIndex: 0, role: 'region', 'aria-label': label }, simpleTable(label, heads, rows));
  }
}
