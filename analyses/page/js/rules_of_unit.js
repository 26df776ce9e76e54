// A datasheet's sections about rules: what they add when it attacks the chosen target, and when it is attacked.

const MOST_OF_KIND = 3; // as many as the data carry for each kind and phase

/** What files beside the page tell of a datasheet fills a place once they are there; the rest doesn't wait for it. */
async function fillWorth(ledger, state, sheet, place, isWanted) {
  try {
    const [rules, durability] = await Promise.all([ledger.rules(), ledger.durability()]);
    if (isWanted()) redraw(place, ...rulesSections(ledger, rules, state, sheet), ...destroySection(ledger, durability, sheet));
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
  const headed = side === 'attacker' ? section : (name, content) => sectionWith(name, attackerChooser(ledger, state), content);
  if (!here.length) return headed(title, nothing(found.length ? 'No rule that is compared changes anything here: choose another opponent.' : 'No rule that is compared is for this unit on this side.'));
  const byGain = (a, b) => b.gained - a.gained;
  const rows = Object.keys(RULE_KINDS).flatMap((kind) => here.filter(({ use }) => use.kind === kind).sort(byGain).slice(0, MOST_OF_KIND)).sort(byGain);
  const most = Math.max(...rows.map(({ gained }) => gained));
  const heads = [['Rule', 'clip pin'], ['Points gained', 'number'], ['Cost', 'number'], ['For its cost', 'number'], ['Phase'], ['What it changes']];
  const lines = rows.map(({ use, phase, effect, gained, situation }) => [ruleLine(use, situation), metered(gained, most, signedPoints), costWords(use), forCost(use, gained), PHASE_NAMES[phase] ?? phase, effect]);
  const words = side === 'attacker' ? 'Points’ worth of wounds that one activation takes off more' : 'Points’ worth of its own wounds that it is spared from one volley';
  return [...headed(title, simpleTable(title, heads, lines)), el('p', { class: 'note' }, `${words}; the most first, up to ${MOST_OF_KIND} of a kind. Every condition is taken to hold: choose a rule to read which. `, el('a', { href: addressWith({ view: 'rules', show: 'single', side, faction: ledger.sheets.faction[sheet] }) }, 'All rules of its faction'))];
}

/** Who attacks it: only what rules save depends on that. */
const attackerChooser = ({ attackers }, { attacker }) => chooser('attacker', { id: 'f-sheet-attacker', label: 'Attacked by', options: attackers.map(({ id, name }) => [id, name]), value: attacker });

/** A rule's name, and under it where it is compared, its kind and what tells the way. */
const ruleLine = (use, situation) => el('div', {}, ruleLink(use, { kind: use.kind, side: use.side }), el('div', { class: 'under' }, ...[situationTag(situation)].filter(Boolean).flatMap((tag) => [tag, ' ']), nameOf([RULE_KINDS[use.kind][0], use.label].filter(Boolean).join(': '), 120)));

function forCost(use, gained) {
  const [value, unit] = use.costKind === 'cp' ? [perCost(use, gained, 'cp'), 'CP'] : [perCost(use, gained, 'points'), '100 pts'];
  return isNothing(value) ? NONE : `${signedPoints(value)} / ${unit}`;
}
