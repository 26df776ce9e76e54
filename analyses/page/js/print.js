// What paper needs and the screen doesn't: light colours, the filters in words, the tables of charts, bounded rows.

const PRINTED_ROWS = 100; // of a table that draws only the rows in sight

/** The listener is told true before the page is printed, false when that is over. */
function onPrint(listener) {
  window.addEventListener('beforeprint', () => listener(true));
  window.addEventListener('afterprint', () => listener(false));
}

/** What a reader of the paper can't see: how many things are left out. */
const leftOutWords = (printed, all, [one, many]) => (printed < all ? `The first ${integer(printed)} of ${countOf(all, [one, many])} are printed; the other ${integer(all - printed)} aren’t.` : '');

/** The controls' settings in words; what isn't set says nothing. */
function settingsWords(controls) {
  return controls.map((control) => {
    const chosen = control.selectedOptions?.[0];
    const text = chosen ? wordsOfOption(chosen) : control.value;
    return control.type !== 'hidden' && control.value !== ANY && text ? [control.labels[0].textContent, text] : null;
  }).filter(Boolean);
}

/** Makes the page ready for paper, and undoes it; `controls` gives those in force. */
function preparePrint(controls) {
  let opened = [];
  onPrint((printing) => {
    document.documentElement.toggleAttribute('data-printing', printing); // the charts read the light colours
    if (!printing) { for (const part of opened) part.open = false; return; }
    opened = [...document.querySelectorAll('.law details:not([open])')];
    for (const part of opened) part.open = true;
    const settings = settingsWords(controls());
    byId('print-filters').replaceChildren(...settings.flatMap(([name, text], index) => [index ? ' · ' : '', el('b', {}, `${name}: `), nameOf(text, 120)]));
  });
}
