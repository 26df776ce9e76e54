// How much of the rules texts about damage was read into effects: a meter for each faction and each kind of text.

const COVERED = ['modelled', 'partly', 'not_modelled'];

/** Sums of the counts by a key of each row, in the order of the keys. */
function coverageBy(rows, key) {
  const sums = new Map();
  for (const row of rows) {
    const sum = sums.get(key(row)) ?? { name: key(row), about_damage: 0, modelled: 0, partly: 0, not_modelled: 0 };
    for (const part of ['about_damage', ...COVERED]) sum[part] += row[part];
    sums.set(key(row), sum);
  }
  return [...sums.values()].sort((a, b) => collator.compare(a.name, b.name));
}

/** Read wholly, in part and not at all, as parts of one bar; the numbers stand beside it. */
function coverageMeter(sum) {
  const parts = COVERED.map((part) => {
    const element = el('span', { class: `covered ${part}` });
    element.style.width = `${(100 * sum[part]) / sum.about_damage}%`;
    return element;
  });
  return el('div', { class: 'coverage', ariaHidden: 'true' }, ...parts);
}

/** The share of all texts about damage that was read, wholly or in part; NaN where there is none. */
function shareRead(rows) {
  const [all] = coverageBy(rows, () => '');
  return all ? (all.modelled + all.partly) / all.about_damage : NaN;
}

function coverageTable(title, head, sums) {
  const heads = [[head, 'clip'], ['Share read', 'meter-cell'], ['wholly or in part', 'number'], ['Texts about damage', 'number'], ['wholly', 'number'], ['in part', 'number'], ['not read', 'number']];
  const rows = sums.map((sum) => [sum.name, coverageMeter(sum), percent((sum.modelled + sum.partly) / sum.about_damage), ...['about_damage', ...COVERED].map((part) => integer(sum[part]))]);
  return section(title, simpleTable(title, heads, rows));
}

function coverageSections({ coverage }) {
  if (!coverage.length) return section('Rules texts read', nothing('No source carries rules texts about damage.'));
  const nameOfFaction = ({ faction, edition }) => `${faction === '(none)' ? 'Core, or several factions' : faction}${edition ? ` (${edition})` : ''}`;
  return [
    ...coverageTable('Rules texts read, by kind', 'Kind', coverageBy(coverage, ({ kind }) => RULE_KINDS[kind]?.[1] ?? spaced(kind))),
    ...coverageTable('Rules texts read, by faction', 'Faction', coverageBy(coverage, nameOfFaction)),
    el('p', { class: 'note' }, 'Of the texts that speak of the attack sequence: how many were turned into effects that can be compared. Strong: read wholly; hatched: in part; pale: not.'),
  ];
}
