// What a datasheet does to each target and how that can turn out: its ranked outcomes, as the leaderboard has them.

/** The outcome of a datasheet against a target under a scenario: its own row, else its plain one; -1 where it has none. */
function outcomeRow(ledger, scenario, sheet, phase, target) {
  for (const id of [scenario, 'plain']) {
    const lookup = ledger.lookups[ledger.scenarios.findIndex((one) => one.id === id)];
    for (const unit of ledger.units.ofSheet[sheet]) {
      const row = lookup?.[keyOf(ledger.outcomes.phases.length, ledger.targets.length, unit, phase, target)] ?? -1;
      if (row >= 0) return row;
    }
  }
  return -1;
}

/** For each phase and target the damage per point of every unit, of an edition or all, under a scenario, the least first. */
function rankings(ledger, { scenario, edition, legends }) {
  const { outcomes, targets } = ledger;
  const lists = outcomes.phases.map(() => targets.map(() => []));
  for (const row of outcomesUnder(ledger, { scenario, edition, legends, phase: 'all' }, 'all')) {
    if (!Number.isNaN(outcomes.d100[row])) lists[outcomes.phase[row]][outcomes.target[row]].push(outcomes.d100[row]);
  }
  return lists.map((phase) => phase.map((values) => Float64Array.from(values).sort()));
}

/** Place among rising values, the largest being first. */
const placeAmong = (rising, value) => {
  let low = firstPlace(rising, value);
  while (low < rising.length && rising[low] === value) low += 1;
  return rising.length - low + 1;
};

const FIGURES = ['Per 100 points', 'Rank', 'Damage', 'Models', 'P(destroy)'];
const FIGURE_METRICS = ['d100', 'rank', 'damage', 'destroyed', 'p'];

class SheetResults {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
  }

  /** The sections of a datasheet under a state; laws: those of the ledger's details. */
  sections(state, sheet, laws) {
    this.state = state;
    this.sheet = sheet;
    this.found = laws;
    return [...this.table(), ...this.laws()];
  }

  /** Phases in which it attacks any target, shooting first. */
  phases() {
    const { ledger, state, sheet } = this;
    return ledger.outcomes.phases.map((_, phase) => phase).filter((phase) => ledger.targets.some((target) => outcomeRow(ledger, state.scenario, sheet, phase, target.index) >= 0)).toReversed();
  }

  /** Both phases side by side, since what a unit is for shows in its better one; a phone has room for one. */
  table() {
    const title = 'What it does to each target';
    const { outcomes, targets } = this.ledger;
    const all = this.phases();
    const nameOfPhase = (phase) => PHASE_NAMES[outcomes.phases[phase]] ?? outcomes.phases[phase];
    const chosen = all.find((phase) => outcomes.phases[phase] === this.state.phase) ?? all[0];
    const phases = narrow.matches ? [chosen] : all;
    const groups = phases.map((phase) => el('th', { scope: 'colgroup', colSpan: FIGURES.length, class: 'group' }, nameOfPhase(phase)));
    const heads = phases.flatMap(() => FIGURES.map((text, index) => el('th', { scope: 'col', class: index ? 'number' : 'number group', title: explained(FIGURE_METRICS[index]) }, text)));
    const head = [el('tr', {}, el('th', { scope: 'col', rowSpan: 2, class: 'pin' }, 'Target'), ...groups), el('tr', {}, ...heads)];
    const table = el('table', { class: 'simple results', 'aria-label': 'Results against each target' }, el('thead', {}, ...head), el('tbody', {}, ...targets.flatMap((target) => this.rows(target, phases))));
    const options = all.map((phase) => [outcomes.phases[phase], nameOfPhase(phase)]);
    const sections = phases.length < all.length ? sectionWith(title, chooser('phase', { id: 'f-sheet-phase', label: 'Phase', options, value: outcomes.phases[chosen] }), table) : section(title, table);
    return [...sections, el('p', { class: 'note' }, 'One activation of the whole unit at its smallest size, with the weapons named under the figures, its loadout that does most damage there. The rank is the leaderboard’s: by damage per point among all units with a price, of its edition unless all editions are chosen there, under the chosen scenario. Against a single model, models destroyed are its P(destroy). Choose a target to see below how the attack can turn out.')];
  }

  /** A target's figures, and under those of each phase the weapons used. */
  rows(target, phases) {
    const { ledger, state, sheet } = this;
    const rows = phases.map((phase) => outcomeRow(ledger, state.scenario, sheet, phase, target.index));
    const figures = rows.flatMap((row) => this.figures(target, row).map((text, index) => el('td', { class: index ? 'number' : 'number group' }, text)));
    const used = rows.map((row) => {
      const loadout = row < 0 ? '' : (ledger.outcomes.loadouts[ledger.outcomes.loadout[row]] ?? NONE);
      return el('td', { colSpan: FIGURES.length, class: 'used group', title: loadout }, nameOf(loadout, 300));
    });
    return [
      el('tr', {}, el('th', { scope: 'row', rowSpan: 2, class: 'pin' }, this.targetButton(target)), ...figures),
      el('tr', { class: 'second' }, ...used),
    ];
  }

  figures(target, row) {
    const { outcomes } = this.ledger;
    if (row < 0) return FIGURES.map(() => NONE);
    const rising = this.ranks()[outcomes.phase[row]][target.index];
    const rank = Number.isNaN(outcomes.d100[row]) ? NONE : `${integer(placeAmong(rising, outcomes.d100[row]))}${narrow.matches ? '' : ` of ${integer(rising.length)}`}`;
    return [decimal(outcomes.d100[row], 2), rank, decimal(outcomes.damage[row], 2), target.models > 1 ? decimal(outcomes.destroyed[row], 2) : '', percent(outcomes.p[row])];
  }

  /** Among the units that the leaderboard ranks it with, Legends also where it is one itself; kept until that changes. */
  ranks() {
    const { sheets } = this.ledger;
    const { scenario, edition, legends } = this.state;
    const among = { scenario, edition: edition === ANY ? ANY : sheets.edition[this.sheet], legends: sheets.availability[this.sheet] === 'legends' ? 'show' : legends };
    const key = JSON.stringify(among);
    if (key !== this.rankedBy) {
      this.rankedBy = key;
      this.ranked = rankings(this.ledger, among);
    }
    return this.ranked;
  }

  targetButton(target) {
    const chosen = target.id === this.state.target;
    const button = el('button', { type: 'button', class: 'plain-button', 'aria-pressed': String(chosen), title: target.name }, target.head);
    button.addEventListener('click', () => {
      this.update({ target: target.id });
      requestAnimationFrame(() => byId('datasheet-body').querySelector('[aria-pressed=true]')?.focus({ preventScroll: true }));
    });
    return button;
  }

  laws() {
    const { ledger, state } = this;
    const target = ledger.targets.find((one) => one.id === state.target);
    if (!target) return [];
    const figures = ledger.outcomes.phases.map((name, phase) => {
      const row = outcomeRow(ledger, state.scenario, this.sheet, phase, target.index);
      return row < 0 ? [] : this.figuresOf(PHASE_NAMES[name] ?? name, row, target);
    }).toReversed().flat();
    const shown = figures.length ? el('div', { class: 'laws' }, ...figures) : nothing(this.found.complete ? 'This unit doesn’t attack this target.' : 'This ledger is too large for the page to carry the distributions of every scenario; the table unit_matchup_distributions of the warehouse has them.');
    return [el('h2', {}, `How it can turn out against ${lowered(target.name)}`), shown, ...(figures.length ? [el('p', { class: 'note' }, 'Strong bars: from the 10th to the 90th percentile; the median is underlined. Exact probabilities, rounded to 0.1 %.')] : [])];
  }

  figuresOf(phase, row, target) {
    const kinds = target.models > 1 ? ['models', 'damage'] : ['damage'];
    return kinds.map((kind) => [kind, lawOf(this.found, kind, row)]).filter(([, law]) => law)
      .map(([kind, law]) => lawFigure(`${phase}: ${KINDS[kind][1]}`, law, kind));
  }
}
