// Two to four units or weapons side by side: who is better at which target, and how one attack of each can turn out.
//
// A kind of things gives: chosen(state) and change(things), between the address and things; open(state), its data;
// metric, name, distinctions (what tells things of one name apart), link, under (a second line); outcome(thing, target)
// with value and row, or null; law(outcome, kind); best(state), the best against the target; facts(things).

const MOST_COMPARED = 4;

class Compare {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.kinds = { units: new ComparedUnits(ledger), weapons: new ComparedWeapons(ledger) };
    this.picker = new Picker(byId('compare-picker'), { id: 'f-add', things: () => this.kind.pick(), label: 'Add', onPick: (thing) => { this.choose([...this.chosen, thing]); this.picker.input.focus(); } });
  }

  choose(things) {
    this.update(this.kind.change(things));
  }

  async show(state) {
    this.state = state;
    this.kind = this.kinds[state.what];
    this.chosen = this.kind.chosen(state);
    this.metric = this.kind.metric(state);
    this.names = toldApart(this.chosen.map((thing) => [this.kind.name(thing), ...this.kind.distinctions(thing)]));
    this.picker.name(this.kind.label);
    byId('compare-picker').hidden = this.chosen.length >= MOST_COMPARED;
    byId('compare-chosen').replaceChildren(...this.chosen.map((thing, index) => this.card(thing, index)));
    const body = byId('compare-body');
    if (!this.chosen.length) {
      byId('compare-answer').textContent = `Add two to four ${this.kind.words[1]} to see who is better at which target.`;
      body.replaceChildren(this.suggestion());
      return;
    }
    await this.kind.open(state);
    if (this.state !== state) return;
    const lines = this.lines();
    this.answer(lines);
    body.replaceChildren(...(this.chosen.length < 2 ? [this.suggestion()] : []), ...this.table(lines), el('p', { class: 'note' }, this.chosen.length > 1 ? '★ marks the best of those that have a figure, where at least two have one. ' : '', this.kind.scope), el('p', { class: 'note' }, ...explanation(state.what === 'units' ? state.metric : 'damage')), ...this.kind.facts(this.chosen), ...this.laws(lines));
  }

  /** One of the compared within a sentence or a head: its letter and its name. */
  marked(index, longest) {
    return el('span', { class: `marked series-${index}` }, el('span', { class: 'letter' }, LETTERS[index]), ' ', nameOf(this.names[index], longest));
  }

  card(thing, index) {
    const remove = el('button', { type: 'button', 'aria-label': `Remove ${shortened(this.names[index], 80)}` }, 'Remove');
    remove.addEventListener('click', () => { this.choose(this.chosen.filter((other) => other !== thing)); this.picker.input.focus(); });
    return el('li', { class: `chosen series-${index}` }, el('span', { class: 'letter' }, LETTERS[index]),
      el('div', { class: 'who' }, this.kind.link(thing), el('div', { class: 'dim' }, ...this.kind.under(thing))), remove);
  }

  suggestion() {
    const { state } = this;
    const best = this.kind.best(state).slice(0, 3);
    const target = this.ledger.targets.find((one) => one.id === state.target);
    if (this.kind.pick().count < 2) return nothing(`The ledger has no two ${this.kind.words[1]} to compare.`);
    if (best.length < 2 || !target) return nothing(`No two ${this.kind.words[1]} have a figure ${state.what === 'units' ? 'in this phase' : 'here'} to suggest. Add some by name.`);
    const button = el('button', { type: 'button' }, `Compare ${this.chosen.length ? 'it with ' : ''}the best three against ${lowered(target.head)}`);
    button.addEventListener('click', () => this.choose([...new Set([...this.chosen, ...best])].slice(0, MOST_COMPARED)));
    return el('p', { class: 'empty' }, button);
  }

  /** For each target the outcome of each, and who is best: only where at least two have a figure is there a contest. */
  lines() {
    return this.ledger.targets.map((target) => {
      const outcomes = this.chosen.map((thing) => this.kind.outcome(thing, target));
      const values = outcomes.map((outcome) => outcome?.value ?? NaN);
      const known = values.filter((value) => !Number.isNaN(value));
      const most = Math.max(0, ...known);
      const contested = known.length > 1;
      return { target, outcomes, values, most, contested, best: values.map((value) => contested && most > 0 && value === most) };
    });
  }

  answer(lines) {
    const place = byId('compare-answer');
    if (lines.every((line) => line.most === 0)) {
      place.textContent = this.state.what === 'units' ? 'None of these has a figure here: choose another phase or metric, or see their datasheets for why they aren’t ranked.' : 'None of these is simulated.';
      return;
    }
    if (this.chosen.length < 2) {
      place.textContent = `Add a second ${this.kind.words[0]} to compare it with.`;
      return;
    }
    place.replaceChildren(...this.verdict(lines), ...this.withoutFigure(lines));
  }

  /** Who of those with figures is best against how many targets. */
  verdict(lines) {
    const contested = lines.filter((line) => line.contested);
    const able = this.chosen.map((_, index) => index).filter((index) => lines.some((line) => !Number.isNaN(line.values[index])));
    if (!contested.length) return [...series(able.map((index) => [el('strong', {}, this.marked(index, 60))])), ' has no other to be compared with here.'];
    const wins = (index) => contested.filter((line) => line.best[index]).length;
    const order = able.sort((a, b) => wins(b) - wins(a));
    return [...order.flatMap((index, position) => [
      position ? ', ' : '', el('strong', {}, this.marked(index, 60)),
      position ? ` against ${wins(index) || 'none'}` : ` is best against ${integer(wins(index))} of ${countOf(contested.length, ['target', 'targets'])}`,
    ]), ` by ${this.metric.label.toLowerCase().replace('p(destroy)', 'P(destroy)')}.`];
  }

  /** Those that nothing is known of here, once, and why. */
  withoutFigure(lines) {
    const without = this.chosen.map((_, index) => index).filter((index) => lines.every((line) => Number.isNaN(line.values[index])));
    const attacks = (index) => lines.some((line) => line.outcomes[index] !== null);
    const reasons = [[this.state.what === 'units' ? 'No attack in this phase' : 'Not simulated', (index) => !attacks(index)], ['No price', attacks]];
    return reasons.flatMap(([reason, is]) => {
      const those = without.filter(is);
      return those.length ? [` ${reason}: `, ...series(those.map((index) => [this.marked(index, 60)])), '.'] : [];
    });
  }

  table(lines) {
    const head = el('tr', {}, el('th', { scope: 'col', class: 'pin' }, 'Target'), ...this.chosen.map((_, index) => el('th', { scope: 'col', class: 'number', title: this.names[index] }, this.marked(index, 80))));
    const body = lines.map((line) => el('tr', {}, el('th', { scope: 'row', class: 'pin' }, this.targetButton(line.target)), ...line.values.map((value, index) => this.cell(line, value, index))));
    const table = el('table', { class: `simple versus of-${this.chosen.length}`, 'aria-label': 'Who is better at which target' }, el('thead', {}, head), el('tbody', {}, ...body));
    return section(`Who is better at which target: ${this.metric.label}`, table);
  }

  /** Choosing a target shows how an attack on it can turn out. */
  targetButton(target) {
    const button = el('button', { type: 'button', class: 'plain-button', 'aria-pressed': String(target.id === this.state.target), title: target.name }, target.head);
    button.addEventListener('click', async () => {
      await this.update({ target: target.id });
      byId('compare-body').querySelector('[aria-pressed=true]')?.focus({ preventScroll: true });
    });
    return button;
  }

  cell(line, value, index) {
    const cell = el('td', { class: `number ${line.best[index] ? 'best' : ''}` });
    fillMetered(cell, Number.isNaN(value) ? null : value, line.most, this.metric.show);
    if (line.best[index]) cell.lastChild.before(el('span', { class: 'crown', title: 'Best of these' }, '★', el('span', { class: 'unseen' }, ' best')), ' ');
    return cell;
  }

  /** One attack of each, on one axis. */
  laws(lines) {
    const line = lines.find(({ target }) => target.id === this.state.target);
    if (!line) return [];
    const { target } = line;
    return [el('h2', {}, `One attack against ${lowered(target.name)}`), el('div', { class: 'laws' }, ...(target.models > 1 ? ['models', 'damage'] : ['damage']).map((kind) => this.figure(line, kind)))];
  }

  figure({ target, outcomes }, kind) {
    const heading = `One attack against ${lowered(target.name)}: ${KINDS[kind][1]}`;
    const found = outcomes.map((outcome) => outcome && this.kind.law(outcome, kind));
    if (found.every((law) => !law)) return nothing('None of these attacks this target, or the ledger is too large for the page to carry the distributions.');
    const shown = found.map((law, series) => law && { ...law, series }).filter(Boolean); // only these take room
    const words = found.map((law, index) => el('li', {}, this.marked(index, 60), law ? `: ${lawWords(law, kind)} ${likeliestWords(law)}` : ': no such attack.'));
    return el('figure', { class: 'law' }, el('h3', {}, sentence(KINDS[kind][1])), el('ul', { class: 'plain legend-list' }, ...words), bars(shown, heading), el('p', { class: 'axis-name' }, `${KINDS[kind][1]}, per cent of activations`), lawTable(heading, shown, kind));
  }
}

/** Names; those that are the same with as many of the further parts of [name, more, …] as tell them apart. */
function toldApart(rows) {
  return rows.map((row) => {
    let same = rows.filter((other) => other[0] === row[0]);
    const telling = [];
    for (let place = 1; place < row.length && same.length > 1; place += 1) {
      const alike = same.filter((other) => other[place] === row[place]);
      if (row[place] && alike.length < same.length) telling.push(row[place]);
      same = alike;
    }
    return telling.length ? `${row[0]} (${telling.join(', ')})` : row[0];
  });
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
