// Stratagems with what each adds, and what of each text the engine understands; those that add most come first.

const CARDS_AT_ONCE = 60;
const NARROW_CARDS = 20;

const ROLL_WORDS = { hit: 'hit rolls', wound: 'wound rolls', damage: 'damage rolls', save: 'saves', attacks: 'attack dice' };
const spaced = (text) => String(text).replaceAll('_', ' ');

/** An effect in words. What the closed list of operations doesn't know is shown by its own name. */
function effectWords({ operation, characteristic, value }) {
  const what = characteristic === null ? '' : (ROLL_WORDS[characteristic] ?? spaced(characteristic));
  const amount = value === null ? '' : spaced(value);
  const signed = /^\d/.test(amount) ? `+${amount}` : amount.replace('-', '−');
  const words = {
    reroll: `re-roll ${what}${amount ? ` (${amount})` : ''}`,
    roll_mod: `${signed} to ${what}`,
    stat_mod: `${signed} ${what}`,
    grant_kw: `gains ${what}${amount ? ` ${amount}` : ''}`,
    crit: `critical ${what} on ${amount}+`,
    hit_only_on: `hits only on ${amount}`,
    invuln: `${amount}+ invulnerable save`,
    feel_no_pain: `Feel No Pain ${amount}+`,
    cover: 'the Benefit of Cover',
    extra_activation: `another ${what} activation`,
    mortal_wounds: `${amount} mortal wounds`,
  };
  return words[operation] ?? [operation, characteristic, value].filter((part) => part !== null).map(spaced).join(' ');
}

function effectItem(effect) {
  if (!effect.is_modelled) return el('li', { class: 'no' }, `Not modelled: ${shortened(effect.note ?? 'no reason given', 300)}`);
  const words = [effectWords(effect)];
  if (effect.side && effect.side !== 'either') words.push(`for the ${effect.side}`);
  if (effect.phase && effect.phase !== 'any') words.push(`${effect.phase} phase`);
  const line = el('li', { class: 'yes' }, shortened(words.join(', '), 300));
  if (effect.condition) line.append(el('span', { class: 'dim' }, ` – ${shortened(effect.condition, 200)}`));
  if (effect.note) line.append(el('span', { class: 'dim' }, ` – ${shortened(effect.note, 200)}`));
  return line;
}

const isModelled = ({ effects }) => effects.some((effect) => effect.is_modelled);

// The filters of stratagems: what of a stratagem a value has to be among.
const STRATAGEM_FACETS = {
  unit: ({ units }) => units,
  cp: ({ cp_cost: cost }) => [String(cost)],
  modelled: (stratagem) => [isModelled(stratagem) ? 'yes' : 'no'],
  faction: ({ faction }) => [faction],
  detachment: ({ detachment_id: id }) => [id],
  edition: ({ edition }) => [edition],
};

class Stratagems {
  constructor(ledger) {
    this.ledger = ledger;
    this.searchable = ledger.stratagems.map((s) => folded([s.name, s.detachment ?? '', s.faction ?? '', s.type, ...s.units].join(' ')));
    byId('stratagems-more').addEventListener('click', () => focusOn(this.more()));
    onPrint((printing) => { if (printing) for (const texts of byId('stratagems-list').querySelectorAll('details')) texts.open = true; });
  }

  async show(state) {
    this.state = state;
    const missing = (error) => { if (!(error instanceof DataFileError)) throw error; return error; };
    const rules = await this.ledger.rules().catch(missing);
    if (this.state !== state) return;
    const { stratagems } = this.ledger;
    this.worth = rules instanceof DataFileError ? new Map() : this.worthOf(rules, state);
    const rows = this.filtered(state);
    const gained = ({ id }) => Math.max(0, ...(this.worth.get(id) ?? []).map((best) => best.gained || 0));
    const use = (stratagem) => (isModelled(stratagem) ? 0 : stratagem.units.length || stratagem.is_core ? 1 : 2);
    this.rows = rows.sort((a, b) => gained(b) - gained(a) || use(a) - use(b));
    say('stratagems-count', `${integer(rows.length)} of ${integer(stratagems.length)} stratagems, ${integer(rows.filter(isModelled).length)} with a modelled effect, ${rules instanceof DataFileError ? `what they add isn’t known: ${rules.message}` : `${integer(rows.filter((one) => gained(one) > 0).length)} that add something here`}`);
    const list = byId('stratagems-list');
    list.replaceChildren();
    if (!rows.length) {
      const words = stratagems.length ? 'No stratagem passes these filters. Clear one to see more.' : 'No document of this ledger lists stratagems. Put a unit’s page under raw/ and run again.';
      list.append(el('p', { class: 'empty' }, words));
    }
    this.shown = 0;
    this.more();
  }

  /** The stratagems that pass; each option of a filter is marked with how many would pass if it were chosen. */
  filtered(state) {
    const matches = matcher(state.q);
    const facets = Object.entries(STRATAGEM_FACETS);
    const counts = Object.fromEntries(facets.map(([name]) => [name, new Map()]));
    const rows = this.ledger.stratagems.filter((stratagem, index) => {
      if (!matches(this.searchable[index])) return false;
      const failed = firstTwo(facets, ([name, of]) => state[name] !== ANY && !of(stratagem).includes(state[name]));
      for (const [name, of] of failed.length === 1 ? failed : failed.length ? [] : facets) {
        for (const value of [ANY, ...of(stratagem)]) counts[name].set(value, (counts[name].get(value) ?? 0) + 1);
      }
      return failed.length === 0;
    });
    markOptions(counts);
    return rows;
  }

  /** By stratagem the best use of each side against the chosen opponents, in whichever phase. */
  worthOf(rules, state) {
    const isWanted = wantedUsers(this.ledger, state.legends);
    const found = new Map();
    const lists = { attacker: this.ledger.targets, defender: this.ledger.attackers };
    for (const group of rules.groups) {
      const { source, side, kind } = group.use;
      if (kind !== 'stratagem' || lists[side][group.opponent] !== opponentOf(this.ledger, state, side)) continue;
      const best = rules.best(group, isWanted);
      if (!(best.gained >= 0.05)) continue;
      const sides = (found.get(source) ?? []).filter((other) => other.use.side !== side || other.gained >= best.gained);
      found.set(source, sides.some((other) => other.use.side === side) ? sides : [...sides, best]);
    }
    return found;
  }

  /** Returns the first of the cards that it adds. */
  more() {
    const next = this.rows.slice(this.shown, this.shown + (narrow.matches ? NARROW_CARDS : CARDS_AT_ONCE));
    const cards = next.map((stratagem) => this.card(stratagem));
    byId('stratagems-list').append(...cards);
    this.shown += next.length;
    byId('stratagems-more').hidden = this.shown >= this.rows.length;
    byId('stratagems-left-out').textContent = leftOutWords(this.shown, this.rows.length, ['stratagem', 'stratagems']);
    return cards[0];
  }

  card(stratagem) {
    const source = stratagem.is_core ? 'Core' : [stratagem.faction, stratagem.detachment ?? 'No detachment given'].filter(Boolean).join(' · ');
    const part = (label, text) => (text ? el('p', { class: 'text' }, el('b', {}, `${label} `), el('bdi', {}, text)) : null);
    const effects = stratagem.effects.length ? stratagem.effects : [{ is_modelled: false, note: 'no effect was read from the text' }];
    return el('article', { class: 'card' },
      el('header', {}, el('h2', { title: stratagem.name }, nameOf(stratagem.name, 120)), el('span', { class: 'cp' }, `${stratagem.cp_cost} CP`)),
      el('p', { class: 'meta' }, shortened(`${source} · ${stratagem.type} · ${stratagem.edition}`, 160)),
      ...(this.worth.get(stratagem.id) ?? []).map((best) => this.worthLine(best)),
      el('details', { class: 'texts', open: !narrow.matches }, el('summary', {}, 'Its text'), part('WHEN', stratagem.when_text), part('TARGET', stratagem.target_text), part('EFFECT', stratagem.effect_text)),
      el('ul', { class: 'effects', 'aria-label': 'What is modelled' }, ...effects.map(effectItem)),
      el('p', { class: 'meta' }, stratagem.units.length ? `Listed by ${shortened(stratagem.units.join(', '), 300)}` : 'Listed by no unit’s own page'));
  }

  /** What it adds, or saves, as a link to the rule. */
  worthLine(best) {
    const { use, gained, phase, situation } = best;
    const link = ruleLink(use, { kind: 'stratagem', side: use.side, phase }, `+${signedPoints(gained)} points`);
    const words = [againstWords(use.side, opponentOf(this.ledger, this.state, use.side)), `, ${lowered(PHASE_NAMES[phase] ?? phase)}`, situation === 'plain' ? '' : `, ${situationWords(situation)}`].join('');
    return el('p', { class: 'worth' }, el('b', {}, link), ` ${words}: `, bestUser(this.ledger, best));
  }
}
