// Two to four units side by side: who is better at which target, and how one attack of each can turn out.

const MOST_COMPARED = 4;

/** The sheets that the state names, in order; what this ledger doesn't have is left out. */
function chosenSheets(ledger, state) {
  const found = state.units.split(' ').map((id) => ledger.sheets.place.get(id)).filter((sheet) => sheet !== undefined);
  return [...new Set(found)].slice(0, MOST_COMPARED);
}

class Compare {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.picker = new Picker(byId('compare-picker'), { id: 'f-add', ledger, label: 'Add a unit', onPick: (sheet) => { this.choose([...this.chosen, sheet]); this.picker.input.focus(); } });
  }

  choose(sheets) {
    this.update({ units: sheets.map((sheet) => this.ledger.sheets.id[sheet]).join(' ') });
  }

  async show(state) {
    this.state = state;
    const { ledger } = this;
    this.chosen = chosenSheets(ledger, state);
    this.metric = METRICS[state.metric];
    byId('compare-picker').hidden = this.chosen.length >= MOST_COMPARED;
    byId('compare-chosen').replaceChildren(...this.chosen.map((sheet, index) => this.card(sheet, index)));
    const body = byId('compare-body');
    if (this.chosen.length < 2) {
      byId('compare-answer').textContent = this.chosen.length ? 'Add a second unit to compare it with.' : 'Add two to four units to see who is better at which target.';
      body.replaceChildren(this.suggestion());
      return;
    }
    const lines = this.lines();
    this.answer(lines);
    const details = await ledger.details();
    if (this.state !== state) return;
    body.replaceChildren(...this.table(lines), ...this.durability(details), ...this.laws(details));
  }

  card(sheet, index) {
    const { sheets } = this.ledger;
    const remove = el('button', { type: 'button', 'aria-label': `Remove ${shortened(sheets.name[sheet], 80)}` }, 'Remove');
    remove.addEventListener('click', () => { this.choose(this.chosen.filter((other) => other !== sheet)); this.picker.input.focus(); });
    return el('li', { class: `chosen series-${index}` }, el('span', { class: 'letter' }, LETTERS[index]),
      el('div', { class: 'who' }, sheetLink(this.ledger, sheet), el('div', { class: 'dim' }, nameOf(sheets.faction[sheet], 40), ` · ${sheets.edition[sheet]} · ${sizeWords(this.ledger, sheet)}`)), remove);
  }

  suggestion() {
    const { ledger, state } = this;
    const rows = ordered(outcomesUnder(ledger, state), (row) => ledger.outcomes.d100[row], 'desc');
    const best = [...new Set(Array.from(rows.slice(0, 12), (row) => ledger.units.sheet[ledger.outcomes.unit[row]]))].slice(0, 3);
    if (best.length < 2) return nothing('The ledger has no two units to compare.');
    const target = ledger.targets.find((one) => one.id === state.target);
    const button = el('button', { type: 'button' }, `Compare the best three against ${lowered(target.head)}`);
    button.addEventListener('click', () => this.choose([...new Set([...this.chosen, ...best])].slice(0, MOST_COMPARED)));
    return el('p', { class: 'empty' }, button);
  }

  /** For each target the value of each unit, of both phases the better one, and who is best. */
  lines() {
    const { ledger, state } = this;
    const phases = indices(ledger.outcomes.phases, state.phase);
    return ledger.targets.map((target) => {
      const rows = this.chosen.map((sheet) => this.rowOf(sheet, phases, target));
      const values = rows.map((row) => (row < 0 ? NaN : ledger.outcomes[state.metric][row]));
      const most = Math.max(0, ...values.filter((value) => !Number.isNaN(value)));
      return { target, rows, values, most, best: values.map((value) => most > 0 && value === most) };
    });
  }

  rowOf(sheet, phases, target) {
    const { ledger, state } = this;
    const figures = ledger.outcomes[state.metric];
    let best = -1;
    for (const phase of phases) {
      const row = outcomeRow(ledger, state.scenario, sheet, phase, target.index);
      if (row >= 0 && (best < 0 || figures[row] > figures[best])) best = row;
    }
    return best;
  }

  answer(lines) {
    const wins = this.chosen.map((_, index) => lines.filter((line) => line.best[index]).length);
    if (wins.every((count) => count === 0)) {
      byId('compare-answer').textContent = 'None of these has a figure here: choose another phase or metric, or see their datasheets for why they aren’t ranked.';
      return;
    }
    const order = wins.map((count, index) => [count, index]).sort((a, b) => b[0] - a[0]);
    const words = order.flatMap(([count, index], place) => [
      place ? ', ' : '', el('strong', {}, nameOf(this.ledger.sheets.name[this.chosen[index]], 60)), place ? ` against ${count}` : ` is best against ${count} of ${lines.length} targets`,
    ]);
    const without = this.chosen.filter((_, index) => lines.every((line) => line.rows[index] < 0)).map((sheet) => nameOf(this.ledger.sheets.name[sheet], 60));
    const hint = without.flatMap((name, index) => [index ? ', ' : ' No attack in this phase: ', name]);
    byId('compare-answer').replaceChildren(...words, ` by ${this.metric.label.toLowerCase().replace('p(destroy)', 'P(destroy)')}.`, ...hint, hint.length ? '.' : '');
  }

  table(lines) {
    const head = el('tr', {}, el('th', { scope: 'col', class: 'pin' }, 'Target'), ...this.chosen.map((sheet, index) => el('th', { scope: 'col', class: 'number' }, `${LETTERS[index]} `, nameOf(this.ledger.sheets.name[sheet], 40))));
    const body = lines.map((line) => el('tr', {}, el('th', { scope: 'row', class: 'pin', title: line.target.name }, line.target.head), ...line.values.map((value, index) => this.cell(line, value, index))));
    const table = el('table', { class: 'simple versus', 'aria-label': 'Who is better at which target' }, el('thead', {}, head), el('tbody', {}, ...body));
    return section(`Who is better at which target: ${this.metric.label}`, table);
  }

  cell(line, value, index) {
    const cell = el('td', { class: `number ${line.best[index] ? 'best' : ''}` });
    fillMetered(cell, Number.isNaN(value) ? null : value, line.most, this.metric.show);
    if (line.best[index]) cell.append(el('span', { class: 'crown', title: 'Best of these' }, ' best'));
    return cell;
  }

  durability({ rowsOf }) {
    const heads = [['Unit', 'clip'], ['Model', 'clip'], ['T', 'number'], ['Sv', 'number'], ['Inv', 'number'], ['W', 'number'], ['FNP', 'number'], ['M', 'number'], ['OC', 'number']];
    const rows = this.chosen.flatMap((sheet, index) => rowsOf.models(sheet).map((one) => [`${LETTERS[index]} ${shortened(this.ledger.sheets.name[sheet], 60)}`, one.model_name, integer(one.toughness), plus(one.save), scoped(one.invulnerable_save, one.invulnerable_save_scope), integer(one.wounds), scoped(one.feel_no_pain, one.feel_no_pain_scope), inches(one.movement), integer(one.objective_control)]));
    return rows.length ? section('What they stand up to', simpleTable('Stat lines', heads, rows)) : [];
  }

  /** One attack of each, on one axis. */
  laws({ laws }) {
    const { ledger, state } = this;
    const target = ledger.targets.find((one) => one.id === state.target);
    if (!target) return [];
    const kind = target.models > 1 ? 'models' : 'damage';
    const phases = indices(ledger.outcomes.phases, state.phase);
    const found = this.chosen.map((sheet, index) => [index, this.rowOf(sheet, phases, target)]).map(([index, row]) => [index, row < 0 ? null : lawOf(laws, kind, row)]);
    const heading = `One attack against ${lowered(target.name)}: ${KINDS[kind][1]}`;
    if (found.every(([, law]) => !law)) return [el('h2', {}, heading), nothing('None of these attacks this target, or the ledger is too large for the page to carry the distributions.')];
    const shown = found.map(([, law]) => law ?? { shares: [], atLeast: [], tiny: [] });
    const words = found.map(([index, law]) => el('li', { class: `series-${index}` }, el('span', { class: 'letter' }, LETTERS[index]), ' ', nameOf(ledger.sheets.name[this.chosen[index]], 60), law ? `: ${lawWords(law, kind)}` : ': no such attack.'));
    return [el('h2', {}, heading), el('figure', { class: 'law' }, el('ul', { class: 'plain legend-list' }, ...words), bars(shown, heading), el('p', { class: 'axis-name' }, `${KINDS[kind][1]}, per cent of activations`), lawTable(heading, shown, kind))];
  }
}
