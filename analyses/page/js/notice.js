// What a link asked for that can't be shown, said once in a line that can be dismissed.

const MOST_NAMED = 3;
// Parts of the state that no control with a label stands for.
const STATE_NAMES = {
  view: 'view', sheet: 'datasheet', against: 'target unit', units: 'unit', weapons: 'weapon', rule: 'rule', since: 'run to compare with', entry: 'entry',
  sort: 'order', wsort: 'order', rsort: 'order', dir: 'direction', wdir: 'direction', rdir: 'direction',
};

const controlOf = (name) => (Object.hasOwn(STATE_NAMES, name) ? null : document.querySelector(`select[data-state="${CSS.escape(name)}"], input[data-state="${CSS.escape(name)}"]`));
const nameOfState = (name) => STATE_NAMES[Object.hasOwn(STATE_NAMES, name) ? name : ''] ?? lowered(controlOf(name)?.labels[0]?.textContent ?? name);

/** What stands in place of a refused value, where that has a name. */
function insteadOf({ name }, state) {
  if (name === 'view') return document.querySelector(`nav [data-view="${state.view}"]`).textContent;
  const chosen = controlOf(name === 'against' ? 'target' : name)?.selectedOptions?.[0];
  return chosen ? wordsOfOption(chosen) : null;
}

/** Items with commas and an "and", at most MOST_NAMED of them named. */
function series(items) {
  const named = items.length > MOST_NAMED ? [...items.slice(0, MOST_NAMED), [`${integer(items.length - MOST_NAMED)} more`]] : items;
  return named.flatMap((item, index) => [index === 0 ? '' : index === named.length - 1 ? ' and ' : ', ', ...item]);
}

/** A link's text as a reader may see it: short, isolated, never markup. */
const quoted = (text) => ['“', nameOf(text, 40), '”'];

/** One sentence for each kind of refusal (see linked), as nodes and texts. */
function refusalWords(refusals, state) {
  const of = (kind) => refusals.filter((one) => one.kind === kind);
  const asked = [['ledger', 'this ledger doesn’t have'], ['view', 'this view can’t show']].filter(([kind]) => of(kind).length).map(([kind, words]) => [...series(of(kind).map(({ name, value }) => [nameOf(nameOfState(name), 40), ' ', ...quoted(value)])), `, which ${words}`]);
  const instead = [...new Set([...of('ledger'), ...of('view')].map((one) => insteadOf(one, state)).filter(Boolean))];
  const shown = instead.length ? [...series(instead.map((text) => [nameOf(text, 60)])), instead.length === 1 ? ' is shown instead.' : ' are shown instead.'] : ['the rest of it is shown.'];
  return [
    ...(asked.length ? ['This link asks for ', ...asked.flatMap((words, index) => [index ? '; for ' : '', ...words]), '; ', ...shown, ' '] : []),
    ...(of('damaged').length ? ['This link is damaged at ', ...series(of('damaged').map(({ value }) => quoted(value))), ': left out. '] : []),
    ...(of('twice').length ? ['This link gives ', ...series(of('twice').map(({ name }) => [nameOf(nameOfState(name), 40)])), ' twice: the last one counts.'] : []),
  ];
}

class Notice {
  constructor() {
    this.words = byId('notice-words');
    this.refusals = [];
    this.button = byId('notice-dismiss');
    this.button.addEventListener('click', () => { this.clear(); byId('main').focus({ preventScroll: true }); });
  }

  /** Adds to what is said already. */
  say(refusals, state) {
    if (!refusals.length) return;
    this.refusals = [...this.refusals, ...refusals];
    this.words.replaceChildren(...refusalWords(this.refusals, state));
    this.button.hidden = false;
  }

  clear() {
    this.refusals = [];
    if (this.button.hidden) return;
    this.words.replaceChildren();
    this.button.hidden = true;
  }
}
