// Units as things to compare: see compare.js for what a kind of things gives.

class ComparedUnits {
  constructor(ledger) {
    this.ledger = ledger;
    this.words = ['unit', 'units'];
    this.pick = sheetsToPick(ledger);
    this.label = 'Add a unit';
    this.scope = 'Each unit at its smallest size with the loadout that does most damage there; of both phases, where both are chosen, its better one.';
  }

  /** The sheets that the state names, in order. */
  chosen(state) {
    return state.units.split(' ').filter(Boolean).map((id) => this.ledger.sheets.place.get(id));
  }

  change(sheets) {
    return { units: sheets.map((sheet) => this.ledger.sheets.id[sheet]).join(' ') };
  }

  async open(state) {
    this.state = state;
    this.details = await this.ledger.details();
  }

  metric(state) {
    return METRICS[state.metric];
  }

  name(sheet) {
    return this.ledger.sheets.name[sheet];
  }

  distinctions(sheet) {
    const { sheets } = this.ledger;
    return [sheets.edition[sheet], sheets.faction[sheet], sheets.collection[sheet]];
  }

  link(sheet) {
    return sheetLink(this.ledger, sheet);
  }

  under(sheet) {
    const { sheets } = this.ledger;
    return [nameOf(sheets.faction[sheet], 40), ` · ${sheets.edition[sheet]} · ${sizeWords(this.ledger, sheet)}`];
  }

  /** The outcome against a target, of both phases the better one: its value, and its row for the law. */
  outcome(sheet, target) {
    const { ledger, state } = this;
    const figures = ledger.outcomes[state.metric];
    let best = -1;
    for (const phase of indices(ledger.outcomes.phases, state.phase)) {
      const row = outcomeRow(ledger, state.scenario, sheet, phase, target.index);
      if (row >= 0 && (best < 0 || figures[row] > figures[best])) best = row;
    }
    return best < 0 ? null : { row: best, value: figures[best] };
  }

  law(outcome, kind) {
    return lawOf(this.details.laws, kind, outcome.row);
  }

  /** The best against the target, to begin with. */
  best(state) {
    const { ledger } = this;
    const rows = ordered(outcomesUnder(ledger, state), (row) => ledger.outcomes.d100[row], 'desc');
    return [...new Set(Array.from(rows.slice(0, 12), (row) => ledger.units.sheet[ledger.outcomes.unit[row]]))];
  }

  facts(sheets) {
    const heads = [['Unit', 'clip'], ['Model', 'clip'], ['T', 'number'], ['Sv', 'number'], ['Inv', 'number'], ['W', 'number'], ['FNP', 'number'], ['M', 'number'], ['OC', 'number']];
    const rows = sheets.flatMap((sheet, index) => this.details.rowsOf.models(sheet).map((one) => [`${LETTERS[index]} ${shortened(this.name(sheet), 60)} (${this.ledger.sheets.edition[sheet]})`, one.model_name, integer(one.toughness), plus(one.save), scoped(one.invulnerable_save, one.invulnerable_save_scope), integer(one.wounds), scoped(one.feel_no_pain, one.feel_no_pain_scope), inches(one.movement), integer(one.objective_control)]));
    return rows.length ? section('What they stand up to', simpleTable('Stat lines', heads, rows)) : [];
  }
}
