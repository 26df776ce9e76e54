// Puts the page together: fills the controls, keeps the state and the address in step, and shows the chosen view.

const BY_NAME = 'by-name'; // the choice of a target that asks for a unit

const option = (value, text, title = '') => el('option', { value, title }, shortened(text, 70));

function fillFacts(ledger) {
  const { run, counts } = ledger;
  const when = run ? new Date(run.finished_at) : null;
  const date = when ? when.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }) : NONE;
  const facts = [['Last run', date], ['Units', integer(counts.units)], ['Matchups', compact(counts.matchups)], ['Documents', integer(counts.documents)]];
  byId('facts').append(...facts.map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value))));
  byId('facts').querySelectorAll('dd')[2].title = `${integer(counts.matchups)} of single weapons, ${integer(counts.unit_matchups)} of whole units`;
  if (when) {
    byId('facts').querySelectorAll('dd')[0].title = when.toISOString();
    byId('dated').textContent = `Run of ${date}`;
    byId('colophon-run').textContent = `Run ${run.run_id} of ${when.toISOString().slice(0, 16).replace('T', ' ')} UTC, Warledger ${run.code_version}.`;
  }
}

function fillControls(ledger, rules) {
  const { targets, attackers, detachments, scenarios, outcomes, sheets } = ledger;
  const fill = (id, ...options) => byId(id).replaceChildren(...options);
  const targetOptions = () => targets.map((target) => option(target.id, target.name, target.description ?? ''));
  fill('f-target', el('optgroup', { label: 'Archetypes' }, ...targetOptions(), option('all', 'All targets, one row each')), el('optgroup', { label: 'A single unit' }, option(BY_NAME, 'Any unit, by its name …')));
  fill('f-order', option('mean', 'Mean of all targets'), ...targetOptions());
  fill('f-phase', ...outcomes.phases.toReversed().map((phase) => option(phase, PHASE_NAMES[phase] ?? phase)), option('all', 'Both phases'));
  fill('f-scenario', ...scenarios.map((scenario) => option(scenario.id, scenario.name, scenario.description)));
  fill('f-faction', option('', 'All'), ...factionsOf(ledger).map((name) => option(name, name)));
  fill('f-edition', option(ANY, 'All'), ...rules.edition[1].filter(Boolean).map((edition) => option(edition, edition === ALL ? 'All' : edition.replace('e', 'th'))));
  fill('f-metric', ...Object.entries(METRICS).map(([id, metric]) => option(id, metric.label)));
  fill('f-unit', option('', 'Any unit'), ...rules.unit[1].filter(Boolean).map((name) => option(name, name)));
  fill('f-cp', option('', 'Any cost'), ...rules.cp[1].filter(Boolean).map((cp) => option(cp, `${cp} CP`)));
  fill('f-attacker', ...attackers.map((attacker) => option(attacker.id, attacker.name, attacker.description)));
  fill('f-enemy', option('median', 'The median of all attackers'), ...attackers.map((attacker) => option(attacker.id, attacker.name, attacker.description)));
  fill('f-kind', ...Object.entries(RULE_KINDS).map(([kind, [, words]]) => option(kind, words)), option('all', 'All kinds'));
  fill('f-detachment', option('', 'All'), ...detachments.map((detachment) => option(detachment.id, detachmentWords(detachment))));
  fill('f-cost', option('', 'Any cost'), ...Object.entries(COSTS).map(([cost, [words]]) => option(cost, words)));
  fill('f-situation', option('', 'Any'), ...Object.entries(SITUATIONS).map(([id, [words, title]]) => option(id, raised(words), title)));
  fill('keywords', ...commonKeywords(sheets).map((word) => el('option', { value: word })));
}

/** Keywords of at least three datasheets: the rest are mostly units' own names. */
function commonKeywords(sheets) {
  const times = new Uint32Array(sheets.keywords.length);
  for (const held of sheets.held) for (const word of held) times[word] += 1;
  return sheets.keywords.filter((word, index) => times[index] >= 3 && word.length < 60);
}

class Page {
  constructor(ledger) {
    this.ledger = ledger;
    this.rules = stateRules(ledger);
    this.controls = [...document.querySelectorAll('[data-state]')];
    this.notice = new Notice();
    const update = (change) => this.update(change);
    this.target = new Picker(byId('against-picker'), { id: 'f-any-unit', things: sheetsToPick(ledger), label: 'Any unit as target', onPick: (sheet) => { this.endSearch(true); update({ against: ledger.sheets.id[sheet] }); } });
    this.makers = {
      leaderboard: () => new Leaderboard(ledger, update), heatmap: () => new Heatmap(ledger, update),
      tradeoff: () => new Tradeoff(ledger, update), datasheet: () => new Datasheet(ledger, update), compare: () => new Compare(ledger, update),
      weapons: () => new Weapons(ledger, update), rules: () => new Rules(ledger, update), stratagems: () => new Stratagems(ledger), changes: () => new Changes(ledger), quality: () => new Quality(ledger), reading: () => new Reading(ledger),
    };
    this.views = {};
    addressWith = (change) => hashOf(this.rules, settled(this.rules, { ...this.state, ...(typeof change === 'function' ? change(this.state) : change) }));
    fillControls(ledger, this.rules);
    this.listen();
    refuse = (name) => this.refuse(name);
    preparePrint(() => [...this.shownControls(), ...byId(`view-${this.state.view}`).querySelectorAll('[data-state]')]);
  }

  /** The state of the address; what can't be shown of it is told, and the address mended. */
  follow() {
    const { state, refusals } = linked(this.rules, location.hash);
    this.state = state;
    this.notice.clear();
    if (refusals.length) location.replace(hashOf(this.rules, state));
    const drawn = this.render();
    this.notice.say(refusals, state);
    return drawn;
  }

  /** A part of the state that a view can't show goes back to its default. */
  refuse(name) {
    const refusal = { kind: 'ledger', name, value: this.state[name] };
    const { refusals } = this.notice;
    this.update({ [name]: this.rules[name][0] });
    this.notice.say([...refusals, refusal], this.state);
  }

  listen() {
    const form = byId('filters');
    form.addEventListener('submit', (event) => event.preventDefault());
    document.addEventListener('input', ({ target }) => {
      if (target.value === BY_NAME) this.searchTarget();
      else if (target.dataset.state) this.update({ [target.dataset.state]: target.value });
    });
    byId('against-picker').addEventListener('focusout', () => this.endSearch());
    byId('against-picker').addEventListener('keydown', ({ key }) => key === 'Escape' && this.endSearch(true));
    window.addEventListener('resize', () => this.fold());
    byId('more-filters').addEventListener('click', () => this.openFilters(!form.classList.contains('open')));
    form.addEventListener('reset', (event) => { event.preventDefault(); this.clear(); });
    document.querySelector('.skip').addEventListener('click', (event) => {
      event.preventDefault(); // the address holds the state
      byId('main').focus();
    });
    window.addEventListener('hashchange', () => {
      if (location.hash === hashOf(this.rules, this.state)) return; // written by update
      const { view, sheet } = this.state;
      this.follow();
      if (view !== this.state.view || sheet !== this.state.sheet) this.arrive();
    });
  }

  /** The less used filters wait behind a button where all of them need more than one row, on a phone always. */
  fold() {
    const form = byId('filters');
    const more = byId('more-filters');
    const fields = [...this.shownControls()].map((control) => control.closest('.field'));
    const waiting = fields.filter((field) => field.matches(narrow.matches ? '.extra, .late' : '.extra'));
    more.hidden = true;
    form.classList.remove('folded');
    const ends = [...fields, more.parentElement].filter((field) => field.offsetParent).map((field) => field.offsetTop + field.offsetHeight);
    const folded = waiting.length > 0 && (narrow.matches || Math.max(...ends) - Math.min(...ends) > 20);
    form.classList.toggle('folded', folded);
    more.hidden = !folded;
  }

  openFilters(open) {
    byId('filters').classList.toggle('open', open);
    byId('more-filters').setAttribute('aria-expanded', String(open));
    this.nameMore();
  }

  /** The button tells how many of the filters behind it are set. */
  nameMore() {
    const set = this.shownControls().filter((control) => control.classList.contains('set') && control.closest(narrow.matches ? '.extra, .late' : '.extra')).length;
    byId('more-filters').textContent = byId('filters').classList.contains('open') ? 'Fewer filters' : `More filters${set ? ` (${set})` : ''}`;
  }

  /** A search field takes the place of the list of targets, until a unit is chosen or the field is left. */
  searchTarget() {
    byId('against-picker').hidden = false;
    this.target.input.focus();
  }

  endSearch(back = false) {
    if (byId('against-picker').hidden) return;
    byId('against-picker').hidden = true;
    this.showTarget(byId('f-target'));
    if (back) byId('f-target').focus();
  }

  /** Back to the defaults of what this view can filter by. */
  clear() {
    const change = {};
    for (const control of this.shownControls()) [change[control.dataset.state]] = this.rules[control.dataset.state];
    const hadFocus = document.activeElement === byId('reset');
    this.update(change);
    if (hadFocus) this.shownControls()[0].focus(); // the button is disabled now
  }

  shownControls() {
    const { view } = this.state;
    const names = [view, ...(MODES[view]?.(this.state) ?? []).map((mode) => `${view}-${mode}`)];
    return this.controls.filter((control) => control.form && control.closest('.field').dataset.on.split(' ').some((on) => names.includes(on))
      && (control.id !== 'f-legends' || this.ledger.sheets.hasLegends));
  }

  /** A change of view is a step that "back" undoes; a change of filter isn't. Returns a promise of the drawn view. */
  update(change) {
    const before = this.state.view;
    this.notice.clear();
    const back = 'target' in change ? { against: ANY } : {}; // from a unit to an archetype
    this.state = settled(this.rules, { ...this.state, ...back, ...change });
    const moved = this.state.view !== before || 'sheet' in change;
    const address = hashOf(this.rules, this.state);
    if (moved) location.hash = address;
    else location.replace(address);
    const drawn = this.render();
    if (moved) this.arrive();
    return drawn;
  }

  /** At the top of another view; the navigation keeps the focus where it has it. */
  arrive() {
    window.scrollTo(0, 0);
    if (!document.activeElement?.closest('nav')) byId('main').focus({ preventScroll: true });
  }

  render() {
    const { view } = this.state;
    for (const name of VIEWS) byId(`view-${name}`).hidden = name !== view;
    if (view !== 'rules') { this.views.rules?.dialog.hide(); markOptions({}); }
    this.renderControls();
    byId('claim').hidden = view !== 'leaderboard';
    for (const link of document.querySelectorAll('[data-view]')) {
      link.href = addressWith({ view: link.dataset.view, entry: link.dataset.entry ?? ANY });
      if (link.dataset.view === view && !link.dataset.entry) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const current = document.querySelector('nav [aria-current]');
    const row = current.closest('ul');
    row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2; // where it scrolls: on a phone
    this.showOtherEditions();
    for (const place of document.querySelectorAll('[data-explains]')) place.replaceChildren(...explanation(this.state[place.dataset.explains]));
    return this.draw(view);
  }

  /** Some views wait for their part of the data. */
  async draw(view) {
    const { state } = this;
    const section = byId(`view-${view}`);
    section.setAttribute('aria-busy', 'true');
    section.classList.remove('failed');
    byId('loading').hidden = true;
    try {
      this.views[view] ??= this.makers[view]();
      await this.views[view].show(resolved(this.ledger, state));
    } catch (error) {
      if (this.state === state) {
        section.querySelector('.lead').after(byId('loading'));
        section.classList.add('failed');
        tellFailure(error);
      }
      if (!(error instanceof DataFileError)) throw error;
    } finally {
      if (this.state === state) section.removeAttribute('aria-busy');
    }
  }

  /** What no choice of an edition means: the newest one, but of rules all. */
  nameEditions() {
    const usual = usualEdition(this.ledger);
    if (usual === ANY) return;
    const ofRules = OF_TEXTS.includes(this.state.view);
    const [first, all] = byId('f-edition').options;
    first.textContent = ofRules ? 'All' : `Newest (${usual.replace('e', 'th')})`;
    delete first.dataset.words; // views that count put it there again
    all.hidden = ofRules;
    all.disabled = ofRules;
  }

  /** How many ranked units the chosen edition leaves out, and the way to them. */
  showOtherEditions() {
    const { edition, legends } = resolved(this.ledger, this.state);
    const { units } = this.ledger;
    const left = new Map();
    for (let unit = 0; edition !== ANY && unit < units.count; unit += 1) {
      if (units.edition[unit] === edition || (legends === 'hide' && units.availability[unit] === 'legends')) continue;
      left.set(units.edition[unit], (left.get(units.edition[unit]) ?? new Set()).add(units.sheet[unit]));
    }
    const words = [...left].map(([other, sheets]) => `${countOf(sheets.size, ['unit', 'units'])} of the ${other.replace('e', 'th')} edition`).join(' and ');
    for (const place of document.querySelectorAll('.other-editions')) {
      const hadFocus = place.contains(document.activeElement);
      place.replaceChildren(...(words ? [`${words} not shown`, el('a', { href: addressWith({ edition: ALL }) }, 'show all')] : []));
      if (hadFocus) (place.querySelector('a') ?? byId('main')).focus({ preventScroll: true });
    }
  }

  isAgainstUnit() {
    return this.state.against !== ANY && UNIT_TARGETS.includes(this.state.view);
  }

  /** A unit as target is an option of its own, as long as it is chosen. */
  showTarget(control) {
    const [search] = control.querySelectorAll(`[value=${BY_NAME}]`);
    search.disabled = !UNIT_TARGETS.includes(this.state.view);
    search.parentElement.hidden = search.disabled;
    control.querySelector('[value=unit]')?.remove();
    if (!this.isAgainstUnit()) { control.value = this.state.target; return; }
    const sheet = this.ledger.sheets.place.get(this.state.against);
    const { name } = targetOfSheet(this.ledger, sheet);
    search.before(option('unit', name, name));
    control.value = 'unit';
  }

  renderControls() {
    const shown = new Set(this.shownControls());
    byId('filters').hidden = shown.size === 0;
    for (const control of this.controls) {
      const name = control.dataset.state;
      if (control.form) control.closest('.field').hidden = !shown.has(control);
      if (control === byId('f-target')) this.showTarget(control);
      else if (control.value !== this.state[name]) control.value = this.state[name];
      control.classList.toggle('set', this.state[name] !== this.rules[name][0]);
    }
    const layout = [...shown].map((control) => control.id).join();
    if (layout !== this.layout) this.fold(); // measures
    this.layout = layout;
    this.nameMore();
    byId('f-target').querySelector('[value=all]').disabled = ONE_TARGET.includes(this.state.view);
    this.nameEditions();
    byId('f-scenario').disabled = this.isAgainstUnit();
    byId('f-scenario').title = this.isAgainstUnit() ? 'Figures against single units are for the plain scenario' : '';
    byId('reset').disabled = [...shown].every((control) => this.state[control.dataset.state] === this.rules[control.dataset.state][0]);
  }
}

/** What went wrong, where a reader sees it; a file that wasn't there is no fault of the page. */
function tellFailure(error) {
  byId('loading').hidden = false;
  byId('loading').textContent = error instanceof DataFileError ? error.message : `The ledger couldn’t be opened: ${error.message}. A current browser and an undamaged file are needed; run the pipeline again to rewrite this page.`;
}

async function start() {
  try {
    const ledger = await openLedger();
    fillFacts(ledger);
    byId('loading').hidden = true;
    new Page(ledger).follow();
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  } catch (error) {
    tellFailure(error);
    throw error;
  }
}

start();
