// Stratagems by unit and command points, with what of each text the engine understands.

const CARDS_AT_ONCE = 60;

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

class Stratagems {
  constructor(ledger) {
    this.ledger = ledger;
    this.searchable = ledger.stratagems.map((s) => folded([s.name, s.detachment ?? '', s.type, ...s.units].join(' ')));
    byId('stratagems-more').addEventListener('click', () => focusOn(this.more()));
  }

  show(state) {
    const matches = matcher(state.q);
    const modelled = (stratagem) => stratagem.effects.some((effect) => effect.is_modelled);
    this.rows = this.ledger.stratagems.filter((stratagem, index) => (!state.unit || stratagem.units.includes(state.unit))
      && (!state.cp || String(stratagem.cp_cost) === state.cp)
      && (!state.modelled || modelled(stratagem) === (state.modelled === 'yes'))
      && matches(this.searchable[index]));
    say('stratagems-count', `${integer(this.rows.length)} of ${integer(this.ledger.stratagems.length)} stratagems, ${integer(this.rows.filter(modelled).length)} with a modelled effect`);
    const list = byId('stratagems-list');
    list.replaceChildren();
    if (!this.rows.length) {
      const words = this.ledger.stratagems.length ? 'No stratagem passes these filters. Clear one to see more.' : 'No document of this ledger lists stratagems. Put a unit’s page under raw/ and run again.';
      list.append(el('p', { class: 'empty' }, words));
    }
    this.shown = 0;
    this.more();
  }

  /** Returns the first of the cards that it adds. */
  more() {
    const next = this.rows.slice(this.shown, this.shown + CARDS_AT_ONCE);
    const cards = next.map((stratagem) => this.card(stratagem));
    byId('stratagems-list').append(...cards);
    this.shown += next.length;
    byId('stratagems-more').hidden = this.shown >= this.rows.length;
    byId('stratagems-left-out').textContent = leftOutWords(this.shown, this.rows.length, ['stratagem', 'stratagems']);
    return cards[0];
  }

  card(stratagem) {
    const source = stratagem.is_core ? 'Core' : (stratagem.detachment ?? 'No detachment given');
    const part = (label, text) => (text ? el('p', { class: 'text' }, el('b', {}, `${label} `), el('bdi', {}, text)) : null);
    const effects = stratagem.effects.length ? stratagem.effects : [{ is_modelled: false, note: 'no effect was read from the text' }];
    return el('article', { class: 'card' },
      el('header', {}, el('h2', { title: stratagem.name }, nameOf(stratagem.name, 120)), el('span', { class: 'cp' }, `${stratagem.cp_cost} CP`)),
      el('p', { class: 'meta' }, shortened(`${source} · ${stratagem.type} · ${stratagem.edition}`, 160)),
      part('WHEN', stratagem.when_text), part('TARGET', stratagem.target_text), part('EFFECT', stratagem.effect_text),
      el('ul', { class: 'effects', 'aria-label': 'What is modelled' }, ...effects.map(effectItem)),
      el('p', { class: 'meta' }, stratagem.units.length ? `Listed by ${shortened(stratagem.units.join(', '), 300)}` : 'Listed by no unit’s own page'));
  }
}
