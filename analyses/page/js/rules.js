// Rules ranked by what they add: stratagems by CP, enhancements and leaders by points, all by points gained.

const COSTS = {
  free: ['Free', ({ costKind, cost }) => costKind === 'none' || cost === 0],
  ...Object.fromEntries([1, 2, 3].map((cp) => [`cp${cp}`, [`${cp} CP`, ({ costKind, cost }) => costKind === 'cp' && cost === cp]])),
  p15: ['Up to 15 points', ({ costKind, cost }) => costKind === 'points' && cost > 0 && cost <= 15],
  p30: ['16 to 30 points', ({ costKind, cost }) => costKind === 'points' && cost > 15 && cost <= 30],
  p60: ['31 to 60 points', ({ costKind, cost }) => costKind === 'points' && cost > 30 && cost <= 60],
  more: ['Over 60 points', ({ costKind, cost }) => costKind === 'points' && cost > 60],
};

/** One row of the ranking: a way to use a rule in a phase, with the user that gains most. */
function ruleEntry(rules, group, isWanted) {
  const best = rules.best(group, isWanted);
  const { gained } = best;
  return {
    ...best, users: group.users, mean: group.mean,
    percp: perCost(group.use, gained, 'cp'), per100: perCost(group.use, gained, 'points'),
  };
}

/** Whether what is bought beats as many points of more of the same unit. */
function barWords({ per100, bar }) {
  if (isNothing(bar) || isNothing(per100)) return '';
  return per100 > bar ? 'the rule buys more' : 'more of it buys more';
}

/** How many ways to use a rule are shown, of how many, and how many more gain nothing. */
function rulesCountWords(shown, { compared, counts }) {
  const none = (counts.zeros.get('show') ?? 0) - (counts.zeros.get('hide') ?? 0);
  const hidden = shown && shown === counts.zeros.get('hide') && none ? `; ${integer(none)} more that gain 0 ${none === 1 ? 'is' : 'are'} hidden` : '';
  return `${integer(shown)} of ${countOf(compared, ['way to use a rule', 'ways to use rules'])} here${hidden}`;
}

class Rules {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.update = update;
    this.table = new LedgerTable(byId('rules-table'), { label: 'Rules ranked by what they add', onSort: (id) => this.sort(id), deep: true });
    this.dialog = new RuleDialog(ledger, update);
    this.together = new Combinations(ledger);
    byId('rules-csv').addEventListener('click', () => (this.state.show === 'together' ? this.together.save() : this.save()));
    narrow.addEventListener('change', () => this.state && this.show({ ...this.state }));
  }

  sort(id) {
    const usual = ['rule', 'kind', 'owner', 'best', 'phase'].includes(id) ? 'asc' : 'desc';
    const turned = this.dir === 'desc' ? 'asc' : 'desc';
    this.update({ rsort: id, rdir: this.sorted === id ? turned : usual });
  }

  async show(state) {
    this.state = state;
    byId('rules-single').hidden = state.show !== 'single';
    byId('rules-together').hidden = state.show !== 'together';
    byId('h-rules').textContent = state.show === 'single' ? 'What rules add' : 'What a detachment does together';
    const rules = await this.ledger.rules();
    if (this.state !== state) return;
    this.rules = rules;
    if (state.show === 'together') await this.together.show(state);
    else this.list(state);
    if (this.state !== state) return;
    markOptions(state.show === 'together' ? this.together.counts : this.counts);
    this.dialog.show(rules, state);
  }

  /** Drawn anew only where something but the opened rule changes, so that a closed dialog gives the focus back. */
  list(state) {
    const drawn = JSON.stringify({ ...state, rule: ANY, narrow: narrow.matches });
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const opponent = opponentOf(this.ledger, state, state.side);
    const found = facetted(this.ledger, this.rules, state);
    const isWanted = wantedUsers(this.ledger, state.legends, state.situation);
    const entries = found.groups.map((group) => ruleEntry(this.rules, group, isWanted));
    this.counts = found.counts;
    const columns = this.columns(state, entries);
    this.sorted = columns.some(({ id }) => id === state.rsort) ? state.rsort : this.usualSort(columns);
    this.dir = this.sorted === state.rsort ? state.rdir : 'desc';
    const value = this.orders(entries)[this.sorted];
    const order = [...ordered(ordered(ordered(entries.map((_, index) => index), (index) => this.rules.nameRank[entries[index].use.use], 'asc'), (index) => entries[index].gained, 'desc'), value, this.dir)];
    this.entries = order.map((index) => entries[index]);
    this.shownColumns = columns;
    say('rules-count', rulesCountWords(entries.length, found));
    this.answer(state, opponent);
    this.table.show({ columns, rows: this.entries, sort: this.sorted, dir: this.dir, empty: entries.length ? '' : noRuleWords(this.ledger, this.rules, state, found) });
  }

  usualSort(columns) {
    const ids = columns.map(({ id }) => id);
    const priced = ids.filter((id) => id === 'percp' || id === 'per100');
    return priced.length === 1 ? priced[0] : 'gained';
  }

  orders(entries) {
    const { sheets } = this.ledger;
    const of = (read) => (index) => read(entries[index]);
    const kinds = Object.keys(RULE_KINDS);
    return {
      rule: of(({ use }) => this.rules.nameRank[use.use]), kind: of(({ use }) => kinds.indexOf(use.kind)), owner: of(({ use }) => this.rules.factionRank[use.use]),
      cost: of(({ use }) => (use.costKind === 'none' ? 0 : use.cost ?? NaN)), best: of(({ sheet }) => sheets.nameRank[sheet]), phase: of(({ phase }) => (phase === 'fight' ? 1 : 0)),
      ...Object.fromEntries(['gained', 'percp', 'per100', 'mean', 'users', 'bar'].map((id) => [id, of((entry) => entry[id])])),
    };
  }

  columns(state, entries) {
    const { sheets } = this.ledger;
    const figure = (id, label, width, help) => {
      const largest = Math.max(0, ...entries.map((entry) => entry[id]).filter((value) => !Number.isNaN(value)));
      return numberColumn(id, label, width, (entry) => entry[id], signedPoints, { help, fill: (cell, entry) => fillMetered(cell, entry[id], largest, signedPoints) });
    };
    const columns = {
      rank: numberColumn('rank', '#', 44, (_, position) => position + 1, integer, { fixed: true, class: 'dim' }),
      rule: { id: 'rule', label: narrow.matches ? 'Rule' : 'Rule and what it changes', width: narrow.matches ? 190 : undefined, least: 270, value: ({ use }) => use.name, pin: true, header: true, class: 'name', fill: (cell, entry) => this.fillRule(cell, entry) },
      kind: textColumn('kind', 'Kind', 132, ({ use }) => RULE_KINDS[use.kind][0], { class: 'dim' }),
      owner: textColumn('owner', 'Faction · detachment or unit', state.kind === 'all' ? 164 : 190, ({ use }) => ownerWords(use), { class: 'dim' }),
      cost: { ...numberColumn('cost', 'Cost', 88, ({ use }) => costWords(use), (words) => words) },
      best: { id: 'best', label: 'Best user', width: state.kind === 'all' ? 172 : 208, class: 'one-line', value: ({ sheet, alike }) => (alike > 1 ? `any of ${alike} users` : sheets.name[sheet]), fill: (cell, entry) => this.fillUser(cell, entry) },
      phase: textColumn('phase', 'Phase', 88, ({ phase }) => PHASE_NAMES[phase] ?? phase),
      gained: { ...figure('gained', 'Points gained', 92, 'Points’ worth of wounds, by the unit that gains most'), file: 'points_gained' },
      percp: { ...figure('percp', 'Per CP', 84, 'Points gained for each command point'), file: 'points_gained_per_cp' },
      per100: { ...figure('per100', 'Per 100 points', 92, 'Points gained for each 100 points of the rule’s price, in one activation'), file: 'points_gained_per_100_points' },
      bar: { id: 'bar', label: 'More of the unit per 100 points', width: 152, value: ({ bar }) => bar, number: true, help: 'What the best user itself does for each 100 points of its own price: what the rule has to beat', file: 'unit_per_100_points', fill: (cell, entry) => this.fillBar(cell, entry) },
      mean: { ...numberColumn('mean', 'Mean of users', 80, ({ mean }) => mean, signedPoints), file: 'mean_points_gained' },
      users: numberColumn('users', 'Users', 64, ({ users }) => users, integer),
    };
    const priced = { cp: ['percp'], points: ['per100', ...(state.side === 'attacker' ? ['bar'] : [])] };
    const asked = state.kind === 'all' ? ['percp', 'per100'] : (priced[PRICED_IN[state.kind]] ?? []);
    // For 1 CP each the gain itself is what a CP buys.
    const paid = entries.some(({ use }) => use.costKind === 'cp' && use.cost > 1) ? asked : asked.filter((id) => id !== 'percp');
    const order = [...(narrow.matches ? ['rule', 'gained', ...paid, 'cost', 'best'] : ['rank', 'rule', 'owner', 'cost', 'best', 'gained', ...paid]), 'mean', 'users', ...(narrow.matches ? ['owner'] : [])];
    if (state.kind === 'all') order.splice(narrow.matches ? 3 : 2, 0, 'kind');
    if (state.side === 'attacker' && state.phase === 'all') order.splice(order.indexOf('cost'), 0, 'phase');
    // A phone shows one figure beside the name: the one that the rows are sorted by.
    const sorted = narrow.matches && (order.includes(state.rsort) ? state.rsort : (paid[0] && state.kind !== 'all' ? paid[0] : 'gained'));
    if (sorted && columns[sorted].number) return ['rule', sorted, ...order.slice(1).filter((id) => id !== sorted)].map((id) => columns[id]);
    return order.map((id) => columns[id]);
  }

  fillRule(cell, { use, effect, situation }) {
    const tags = [use.edition && tagOf(use.edition, 'Edition of its text', 'edition'), situationTag(situation), use.assumes.length ? tagOf('if …', `Taken to hold: ${shortened(use.assumes.join('; '), 300)}`) : null, use.leftOut.length ? tagOf('partly', `Left out: ${shortened(use.leftOut.join('; '), 300)}`) : null].filter(Boolean);
    const words = [effect, use.label].filter(Boolean).join(' – ');
    // A phone has room for the name alone beside the figure.
    const [beside, below] = narrow.matches ? [[], tags] : [tags, []];
    cell.append(nameLine(ruleLink(use), ...beside), el('div', { class: 'under', title: words }, ...below.flatMap((tag) => [tag, ' ']), nameOf(words, 400)));
    cell.title = use.name;
  }

  fillUser(cell, { sheet, alike, use, users }) {
    const { sheets } = this.ledger;
    if (alike > 1) {
      cell.append(nameLine(bestUser(this.ledger, { sheet, alike, use })), el('div', { class: 'under' }, alike === users ? 'all gain the same' : `of ${integer(users)}, these gain most`));
      return;
    }
    cell.append(nameLine(sheetLink(this.ledger, sheet), ...[availabilityTag(sheets.availability[sheet])].filter(Boolean)), el('div', { class: 'under' }, nameOf(`${sheets.edition[sheet]} · ${sheets.faction[sheet]}`, 60)));
  }

  fillBar(cell, entry) {
    cell.append(el('div', {}, signedPoints(entry.bar)), el('div', { class: `verdict ${entry.per100 > entry.bar ? 'better' : ''}` }, barWords(entry)));
  }

  /** The first row as a sentence. */
  answer(state, opponent) {
    const place = byId('rules-answer');
    const [first] = this.entries;
    if (!first || this.dir === 'asc' || !['gained', 'percp', 'per100', 'mean'].includes(this.sorted) || isNothing(first[this.sorted])) {
      place.textContent = 'What each rule adds to one attack, or saves from one volley, in points’ worth of wounds, by the unit that gains most.';
      return;
    }
    const measure = { gained: '', percp: ' for each CP', per100: ' for each 100 points it costs', mean: ', on average over its users' }[this.sorted];
    const user = this.sorted === 'mean' ? [] : [first.use.kind === 'leader' ? ' with ' : ' by ', bestUser(this.ledger, first)];
    const held = [situationWords(first.situation), first.use.assumes.length ? 'if the rule’s conditions hold' : ''].filter(Boolean).join(' and ');
    place.replaceChildren(el('strong', {}, ruleLink(first.use)), ' (', nameOf(ownerWords(first.use), 60), `, ${costWords(first.use)}) ${state.side === 'attacker' ? 'adds' : 'saves'} most ${againstWords(state.side, opponent)}: `,
      el('strong', {}, signedPoints(first[this.sorted])), ` points’ worth of wounds${measure}`, ...user, held ? `, ${held}.` : '.');
  }

  save() {
    const { ledger, state } = this;
    const more = [
      { id: 'side', value: ({ use }) => use.side }, { id: 'opponent', value: ({ use }) => opponentOf(ledger, state, use.side).name }, { id: 'phase', value: ({ phase }) => phase }, { id: 'kind', value: ({ use }) => use.kind }, { id: 'edition', value: ({ use }) => use.edition },
      { id: 'effect', value: ({ effect }) => effect }, { id: 'way', value: ({ use }) => use.label }, { id: 'situation', value: ({ situation }) => SITUATIONS[situation][1] }, { id: 'assumes', value: ({ use }) => use.assumes.join('; ') }, { id: 'left_out', value: ({ use }) => use.leftOut.join('; ') },
    ];
    const shown = this.shownColumns.filter(({ id }) => !more.some((column) => column.id === id));
    download('warledger-rules.csv', csvOf([...shown, ...more], this.entries));
  }
}
