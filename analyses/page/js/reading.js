// How to read it: the entries stand in the page; here are their tables, the way to one of them, and its words elsewhere.

// The entry of each metric and of what else a table is ordered by.
const METRIC_ENTRIES = {
  d100: 'damage-per-100-points', pd100: 'points-destroyed-per-100-points', damage: 'expected-damage', p: 'p-destroy',
  destroyed: 'models-destroyed', points: 'points', rank: 'rank',
};

const entryIds = () => [...document.querySelectorAll('#view-reading [id^="entry-"]')].map(({ id }) => id.slice('entry-'.length));

/** An entry's address. */
const entryLink = (entry, words) => el('a', { href: addressWith({ view: 'reading', entry }) }, words);

/** What a metric means, in its entry's first sentence and formula, as nodes; none where it has no entry. */
function explanation(metric) {
  const entry = byId(`entry-${Object.hasOwn(METRIC_ENTRIES, metric) ? METRIC_ENTRIES[metric] : ''}`);
  if (!entry) return [];
  const [term, said] = entry.children;
  const formula = said.querySelector('code')?.textContent;
  return [entryLink(METRIC_ENTRIES[metric], term.textContent), `: ${lowered(firstSentence(said))}`, ...(formula ? [' ', el('code', {}, formula)] : [])];
}

/** The same as a text, for titles. */
const explained = (metric) => explanation(metric).map((part) => part.textContent ?? part).join('');

const firstSentence = (element) => /^.*?[.:](?=\s|$)/s.exec(element.firstChild.textContent.trim())[0].replace(/:$/, '.');

class Reading {
  constructor(ledger) {
    const where = { ranged: 'Shooting', melee: 'Fight', any: 'Both phases' };
    this.fill('Targets', [['Target', 'titled'], ['Points', 'number']], ledger.targets.map((one) => [titled(one.name, one.description), integer(one.points)]));
    this.fill('Reference attackers', [['Attacker', 'titled'], ['Points', 'number'], ['Weapons', 'number']], ledger.attackers.map((one) => [titled(one.name, one.description), integer(one.points), integer(one.count)]));
    this.fill('Scenarios', [['Scenario', 'titled'], ['Can change', 'clip']], ledger.scenarios.map((one) => [titled(one.name, one.description), where[one.applies] ?? one.applies]));
  }

  fill(title, heads, rows) {
    byId(`reading-${title.split(' ').at(-1).toLowerCase()}`).replaceChildren(simpleTable(title, heads, rows));
  }

  /** The entry that the address names, once the page has come to its place. */
  show({ entry }) {
    for (const reached of document.querySelectorAll('#view-reading .reached')) reached.classList.remove('reached');
    const element = entry && byId(`entry-${entry}`);
    if (!element) return;
    element.classList.add('reached');
    requestAnimationFrame(() => { element.scrollIntoView({ block: 'start' }); focusOn(element); });
  }
}
