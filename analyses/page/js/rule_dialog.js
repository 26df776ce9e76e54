// One rule opened: what is taken to hold, what is left out, its other ways, and who gains most by it.

class RuleDialog {
  constructor(ledger, update) {
    this.ledger = ledger;
    this.box = byId('rule-dialog');
    this.box.addEventListener('close', () => this.closed(update));
    this.box.addEventListener('click', ({ target }) => target === this.box && this.box.close()); // beside it
    byId('rule-close').addEventListener('click', () => this.box.close());
  }

  show(rules, state) {
    if (state.rule === ANY) { this.hide(); return; }
    const use = rules.byKey.get(state.rule);
    if (!use) { refuse('rule'); return; }
    this.shown = true;
    byId('h-rule').replaceChildren(nameOf(use.name, 200));
    byId('rule-body').replaceChildren(...this.body(rules, state, use));
    if (!this.box.open) this.box.showModal();
    this.box.scrollTop = 0;
  }

  /** The focus is back where it was; a link that opened the dialog left it nowhere. */
  closed(update) {
    if (!this.shown) return;
    this.shown = false;
    update({ rule: ANY });
    if (document.activeElement === document.body || this.box.contains(document.activeElement)) byId('main').focus({ preventScroll: true });
  }

  /** Without a change of the state: that is what has hidden it. */
  hide() {
    this.shown = false;
    this.box.close();
  }

  body(rules, state, use) {
    const what = [RULE_KINDS[use.kind][0], ownerWords(use), use.edition && `${use.edition} edition`, costWords(use)].filter(Boolean);
    const ways = rules.uses.filter((other) => other.source === use.source && other !== use);
    return [
      el('p', { class: 'meta' }, nameOf(what.join(' · '), 300)),
      ...this.users(rules, state, use),
      ...listOf('Taken to hold', [...this.situations(rules, state, use), ...use.assumes, ...chosenOf(use)], 'Nothing: whoever may use it gets it.'),
      ...listOf('Left out of the comparison', use.leftOut, 'Nothing: all that it does to an attack is in the figures.'),
      ...(ways.length ? [el('h3', {}, 'Other ways and sides'), el('ul', { class: 'plain bullets' }, ...ways.map((other) => this.otherWay(other)))] : []),
      el('p', { class: 'note' }, ...this.further(use)),
    ];
  }

  otherWay(other) {
    const link = ruleLink(other, { side: other.side });
    link.replaceChildren(nameOf([other.side === 'attacker' ? 'When it attacks' : 'When it is attacked', other.label].filter(Boolean).join(': '), 200));
    return el('li', {}, link);
  }

  /** Its users in each phase against the chosen opponent. */
  groups(rules, state, use) {
    const opponent = opponentOf(this.ledger, state, use.side);
    const list = use.side === 'attacker' ? this.ledger.targets : this.ledger.attackers;
    return rules.groups.filter((group) => group.use === use && list[group.opponent] === opponent);
  }

  /** Where it is compared, as sentences. */
  situations(rules, state, use) {
    const all = new Set(this.groups(rules, state, use).flatMap((group) => rules.situationsOf(group)));
    const some = all.size > 1 ? ' (for some of its users)' : '';
    return [...all].filter((situation) => situation !== 'plain').map((situation) => `${raised(SITUATIONS[situation][1])}${some}`);
  }

  users(rules, state, use) {
    const opponent = opponentOf(this.ledger, state, use.side);
    const groups = this.groups(rules, state, use);
    const isWanted = wantedUsers(this.ledger, state.legends, state.situation);
    const title = opponent ? `Who gains most ${againstWords(use.side, opponent)}` : 'Who gains most';
    if (!groups.length) return section(title, nothing('It changes nothing against this opponent: choose another one.'));
    const found = groups.flatMap((group) => rules.usersOf(group, isWanted).slice(0, MOST_LISTED)).sort((a, b) => b.gained - a.gained);
    const most = found.reduce((largest, { gained }) => Math.max(largest, gained || 0), 0);
    const effects = new Set(found.map(({ effect }) => effect));
    // What is the same in each row, or says nothing of its own, takes no column.
    const columns = [
      [['Unit', 'clip pin'], ({ sheet }) => el('span', {}, sheetLink(this.ledger, sheet, 60), ' ', el('span', { class: 'dim' }, this.ledger.sheets.edition[sheet]), ' ', availabilityTag(this.ledger.sheets.availability[sheet]) ?? '')],
      groups.length > 1 && [['Phase'], ({ phase }) => PHASE_NAMES[phase] ?? phase],
      [['Points gained', 'number'], ({ gained }) => metered(gained, most, signedPoints)],
      use.cost > 0 && !(use.costKind === 'cp' && use.cost === 1) && [['For its cost', 'number'], ({ gained }) => forCost(use, gained)],
      found.some(({ bar }) => !Number.isNaN(bar)) && [['More of the unit, per 100 points', 'number narrow'], ({ bar }) => signedPoints(bar)],
      effects.size > 1 && [['What changes'], ({ effect }) => effect],
    ].filter(Boolean);
    const heads = columns.map(([head]) => head);
    const rows = found.map((user) => columns.map(([, show]) => show(user)));
    const all = groups.map((group) => usersWords(group, rules.best(group, isWanted)));
    const change = effects.size === 1 ? [el('p', {}, el('b', {}, 'Changes: '), nameOf(found[0].effect, 400))] : [];
    return [...change, ...section(title, simpleTable(title, heads, rows)), el('p', { class: 'note' }, `${all.join('; ')}.`)];
  }

  further(use) {
    if (use.leader >= 0) return ['The leader’s ', sheetLink(this.ledger, use.leader), ': its weapons and its abilities for the unit that it leads, with the unit’s own attacks.'];
    if (use.kind === 'stratagem') return [el('a', { href: addressWith({ view: 'stratagems', q: use.name, unit: ANY, cp: ANY, modelled: ANY }) }, 'Its text'), ' stands under Stratagems.'];
    return ['Conditions on the user’s and the target’s keywords are tested; what a datasheet can’t tell is taken to hold.'];
  }
}

const MOST_LISTED = 8; // users of each phase

/** How many may use it, what they gain on average, and how many of them gain as much as the first. */
function usersWords(group, { alike }) {
  const words = `${PHASE_NAMES[group.phase] ?? group.phase}: ${countOf(group.users, ['unit', 'units'])} may use it and ${group.users === 1 ? 'gains' : 'gain'} ${signedPoints(group.mean)} points on average`;
  const equals = alike === group.users ? 'any of them the same' : `the best ${integer(alike)} of them the same`;
  return alike > 1 ? `${words}, ${equals}${alike > MOST_LISTED ? ` (${MOST_LISTED} are listed)` : ''}` : words;
}

/** What tells the way besides the conditions that are listed anyway: an option that is chosen, mortal wounds alone. */
function chosenOf({ label, assumes }) {
  const chosen = assumes.reduce((words, clause) => words.replace(clause, ''), label ?? '').split('; ').filter(Boolean);
  return chosen.map((words) => (words === 'mortal wounds' ? 'Only its mortal wounds beside attacks are counted here' : `Chosen: ${words}`));
}

const raised = (words) => words[0].toUpperCase() + words.slice(1);

/** A heading and a list of texts from a source. */
const listOf = (title, texts, none) => [el('h3', {}, title), texts.length ? el('ul', { class: 'plain bullets' }, ...texts.map((text) => el('li', {}, nameOf(text, 400)))) : el('p', { class: 'dim' }, none)];
