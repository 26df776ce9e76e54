// A datasheet's sections about rules: what they add when it attacks the chosen target, and when it is attacked.

const MOST_OF_KIND = 3; // as many as the data carry for each kind and phase

/** What files beside the page tell of a datasheet fills a place once they are there; the rest doesn't wait for it. */
async function fillWorth(ledger, state, sheet, place, isWanted) {
  try {
    const [rules, durability] = await Promise.all([ledger.rules(), ledger.durability()]);
    if (isWanted()) place.replaceChildren(...rulesSections(ledger, rules, state, sheet), ...destroySection(ledger, durability, sheet));
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    place.replaceChildren(...section('What rules add, and what destroys it', nothing(error.message)));
  }
}

/** Both sides of what rules add to a datasheet. */
function rulesSections(ledger, rules, state, sheet) {
  const found = rules.ofSheet(sheet);
  const sides = ['attacker', 'defender'].flatMap((side) => sideSection(ledger, state, sheet, side, found.filter(({ use }) => use.side === side)));
  return [...sides, ...asLeader(rules, sheet)];
}

/** Of a leader: where to read what it does for the units that it leads. */
function asLeader(rules, sheet) {
  const [own] = rules.uses.filter(({ leader }) => leader === sheet);
  if (!own) return [];
  const link = ruleLink(own, { kind: 'leader', side: own.side });
  link.textContent = 'What it adds to the units that it leads';
  return [el('p', { class: 'note' }, link)];
}

function sideSection(ledger, state, sheet, side, found) {
  const opponent = opponentOf(ledger, state, side);
  if (!opponent) return [];
  const title = side === 'attacker' ? `What rules add when it attacks ${lowered(opponent.head)}` : `What rules save when it is attacked by ${lowered(opponent.short)}`;
  const list = side === 'attacker' ? ledger.targets : ledger.attackers;
  const here = found.filter(({ group, gained }) => list[group.opponent] === opponent && gained > 0);
  if (!here.length) return section(title, nothing(found.length ? 'No rule that is compared changes anything here: choose another opponent.' : 'No rule that is compared is for this unit on this side.'));
  const rows = Object.keys(RULE_KINDS).flatMap((kind) => here.filter(({ use }) => use.kind === kind).sort((a, b) => b.gained - a.gained).slice(0, MOST_OF_KIND));
  const most = Math.max(...rows.map(({ gained }) => gained));
  const heads = [['Rule', 'clip pin'], ['Points gained', 'number'], ['for its cost', 'number'], ['Cost', 'number'], ['Phase'], ['What it changes']];
  const lines = rows.map(({ use, phase, effect, gained }) => [ruleLine(use), metered(gained, most, signedPoints), forCost(use, gained), costWords(use), PHASE_NAMES[phase] ?? phase, effect]);
  const words = side === 'attacker' ? 'Points’ worth of wounds that one activation takes off more' : 'Points’ worth of its own wounds that it is spared from one volley';
  return [...section(title, simpleTable(title, heads, lines)), el('p', { class: 'note' }, `${words}; up to ${MOST_OF_KIND} of a kind. Every condition is taken to hold: choose a rule to read which. `, el('a', { href: addressWith({ view: 'rules', show: 'single', side, faction: ledger.sheets.faction[sheet] }) }, 'All rules of its faction'))];
}

/** A rule's name, and under it its kind and what tells the way. */
const ruleLine = (use) => el('div', {}, ruleLink(use, { kind: use.kind, side: use.side }), el('div', { class: 'under' }, nameOf([RULE_KINDS[use.kind][0], use.label].filter(Boolean).join(': '), 120)));

function forCost(use, gained) {
  const [value, unit] = use.costKind === 'cp' ? [perCost(use, gained, 'cp'), 'CP'] : [perCost(use, gained, 'points'), '100 pts'];
  return isNothing(value) ? NONE : `${signedPoints(value)} / ${unit}`;
}
