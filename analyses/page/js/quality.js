// What went in, what was lost, what the gate checked and how long it took.

const KIND_WORDS = { text_dump: 'Text dump', html_page: 'HTML page', csv_export: 'CSV export', community_dataset: 'Community data set' };
const SUITE_WORDS = { schema: 'Schema', rules: 'Rules' };
const MOST_UNKNOWN = 30; // names in sight of a reason, the rest on request

/** A title and what stands under it. */
const titled = (title, under) => el('div', {}, el('div', { class: 'two-lines', title }, nameOf(title, 200)), under ? el('div', { class: 'under', title: under }, nameOf(under, 400)) : null);

/** Documents by status, in words. */
function statusWords(documents) {
  const counts = ['parsed', 'partial', 'superseded', 'quarantined'].map((status) => [status, documents.filter((one) => one.status === status).length]);
  return counts.filter(([, count]) => count).map(([status, count]) => `${integer(count)} ${status}`).join(', ');
}

const outcomeOf = ({ met, failed }) => el('span', { class: failed ? 'outcome-failed' : 'outcome-met' }, failed ? `${integer(failed)} failed${met ? `, ${integer(met)} met` : ''}` : met > 1 ? `${integer(met)} met` : 'met');

/** A reason as of pipelines/dimensions/arsenals.py: its kind, and what of the unit it names. */
function reasonOf(text) {
  for (const [pattern, kind] of [[/^the default equipment of (.*) is unknown$/, 'the default equipment of some of its models is unknown'], [/^the default weapon (.*) is not described$/, 'no source describes one of its default weapons']]) {
    const found = pattern.exec(text);
    if (found) return [kind, found[1]];
  }
  return [text, null];
}

/** Names, each with a detail behind it; of many the first. */
function namesOf(units) {
  const words = (some) => some.flatMap(([name, detail], index) => [index ? ', ' : '', nameOf(name, 60), el('span', { class: 'dim' }, ' (', nameOf(detail, 60), ')')]);
  const rest = units.slice(MOST_UNKNOWN, 500);
  return el('div', {}, ...words(units.slice(0, MOST_UNKNOWN)), rest.length ? el('details', {}, el('summary', {}, `${integer(units.length - MOST_UNKNOWN)} more`), ...words(rest)) : null);
}

class Quality {
  constructor(ledger) {
    this.ledger = ledger;
  }

  /** Nothing here depends on a filter: it is drawn once. */
  show() {
    const place = byId('quality-body');
    if (place.hasChildNodes()) return;
    const { counts } = this.ledger;
    byId('quality-answer').textContent = counts.expectations === 0
      ? 'The warehouse carries no results of the quality gate.'
      : `The quality gate checked ${integer(counts.expectations)} expectations before this ledger was published; ${counts.expectations === counts.expectations_met ? 'all passed' : `${integer(counts.expectations - counts.expectations_met)} failed`}.`;
    place.append(this.figures(), ...this.failures(), ...this.documents(), ...this.issues(), ...this.conflicts(), ...this.corrections(), ...this.unknown(), ...this.gate(), ...this.deduplication(), ...coverageSections(this.ledger), ...this.stages());
  }

  figures() {
    const { counts, documents, deduplication, unknown_equipment: unknown } = this.ledger;
    const whole = deduplication.find((one) => one.kind === 'all top-level blocks');
    const refused = documents.some(({ status }) => status === 'quarantined'); // superseded ones are as intended
    const tiles = [
      [`${integer(counts.expectations_met)} of ${integer(counts.expectations)}`, 'expectations passed', counts.expectations !== counts.expectations_met ? 'bad' : ''],
      [integer(documents.length), `documents: ${statusWords(documents) || 'none'}`, refused ? 'bad' : ''],
      [whole?.share_saved == null ? NONE : percent(whole.share_saved), 'of the rules text was repetition'],
      [percent(shareRead(this.ledger.coverage)), 'of the rules texts about damage were read'],
      [integer(unknown.length), 'units without known equipment'],
    ];
    return el('div', { class: 'figures' }, ...tiles.map(([value, label, kind]) => el('div', { class: `figure ${kind ?? ''}` }, el('b', {}, value), el('span', {}, label))));
  }

  failures() {
    const { failures } = this.ledger;
    if (!failures.length) return [];
    const heads = [['Expectation', 'named'], ['Table'], ['Column'], ['Seen'], ['Why it exists', 'named']];
    return section('Failed expectations', simpleTable('Failed expectations', heads, failures.map((one) => [one.expectation, one.table_name, one.column_name, one.observed, one.reason])));
  }

  /** Every expectation that the gate held the tables against, by suite; those of one kind and table in one row. */
  gate() {
    const { gate } = this.ledger;
    if (!gate.length) return section('Expectations of the gate', nothing('The warehouse carries no results of the quality gate.'));
    const suites = [...new Set(gate.map((one) => one.suite))];
    const sum = (rows, name) => rows.reduce((all, row) => all + row[name], 0);
    const totals = suites.map((suite) => {
      const rows = gate.filter((one) => one.suite === suite);
      return [SUITE_WORDS[suite] ?? suite, integer(sum(rows, 'met')), integer(sum(rows, 'failed'))];
    });
    const lists = suites.map((suite) => {
      const rows = gate.filter((one) => one.suite === suite).map((one) => [outcomeOf(one), spaced(one.expectation), one.table_name, one.columns, one.reason]);
      const label = `Expectations: ${SUITE_WORDS[suite] ?? suite}`;
      return el('details', {}, el('summary', {}, `${label} (${integer(rows.length)} ${rows.length === 1 ? 'row' : 'rows'})`), boxOf(label, simpleTable(label, [['Outcome'], ['Expectation', 'named'], ['Table'], ['Columns', 'named'], ['Why it exists', 'named']], rows)));
    });
    return [...section('Expectations of the gate', simpleTable('Expectations of the gate', [['Suite'], ['Met', 'number'], ['Failed', 'number']], totals)), ...lists];
  }

  documents() {
    const heads = [['Document', 'titled pin'], ['Status'], ['Kind', 'clip'], ['Edition', 'clip'], ['Lines', 'number'], ['Bytes', 'number'], ['Dated', 'clip']];
    const rows = this.ledger.documents.map((one) => [
      titled(one.title ?? one.path, one.title ? one.path : null), el('span', { class: `status-${one.status}` }, one.status), KIND_WORDS[one.source_kind] ?? one.source_kind,
      one.edition === null ? null : `${one.edition}${one.edition_source === 'declared_default' ? ' (assumed)' : ''}`,
      integer(one.line_count), integer(one.byte_count), one.dated,
    ]);
    return section('Documents', rows.length ? simpleTable('Documents', heads, rows) : nothing('No document was read.'));
  }

  issues() {
    const heads = [['Severity'], ['Kind, and an example', 'titled'], ['Issues', 'number'], ['Documents', 'number']];
    const rows = this.ledger.issues.map((one) => [el('span', { class: `status-${one.severity}` }, one.severity), titled(spaced(one.code), one.example), integer(one.issues), integer(one.documents)]);
    return section('Issues by kind', rows.length ? simpleTable('Issues by kind', heads, rows) : nothing(this.ledger.documents.length ? 'No issue was found in the documents.' : 'No document was read, so none can have an issue.'));
  }

  /** Where sources say different things of one unit: what was taken, and what wasn't. */
  conflicts() {
    const { conflicts } = this.ledger;
    if (!conflicts.length) return section('Where sources disagree', nothing('No two sources of one edition disagree about a unit.'));
    const of = new Map();
    for (const one of conflicts) {
      const key = JSON.stringify([one.canonical_unit_id, one.edition, one.field]);
      of.set(key, [...(of.get(key) ?? []), one]);
    }
    const words = (rows) => rows.map((one) => `${shortened(one.value ?? 'nothing', 120)} (${KIND_WORDS[one.source_kind] ?? one.source_kind}${one.dated ? ` of ${one.dated}` : ''})`).join('; ') || NONE;
    const rows = [...of.values()].map((all) => [titled(`${all[0].unit} (${all[0].edition})`, spaced(all[0].field)), words(all.filter((one) => one.won)), words(all.filter((one) => !one.won))]);
    const left = this.ledger.counts.conflicts - conflicts.length;
    return [...section('Where sources disagree', simpleTable('Where sources disagree', [['Unit and field', 'titled pin'], ['Taken', 'named'], ['Not taken', 'named']], rows)),
      ...(left > 0 ? [el('p', { class: 'note' }, `${integer(left)} more values stand in the table source_conflicts of the warehouse.`)] : [])];
  }

  corrections() {
    const { corrections } = this.ledger;
    if (!corrections.length) return section('Declared corrections', nothing('No declared correction concerns these documents.'));
    const rows = corrections.map((one) => [
      titled(one.unit, spaced([one.record, one.selector?.replace(/^\w+ = /, ''), one.field].filter(Boolean).join(': '))),
      titled(`${one.from_value ?? 'nothing'} → ${one.to_value ?? 'unknown'}`, one.reason),
      el('span', { class: one.applied ? 'outcome-met' : 'outcome-failed' }, one.outcome),
    ]);
    return section('Declared corrections', simpleTable('Declared corrections', [['Unit and field', 'titled pin'], ['From → to, and why', 'titled'], ['Outcome']], rows));
  }

  deduplication() {
    const heads = [['Kind of rules text'], ['Places', 'number'], ['Distinct texts', 'number'], ['Characters before', 'number'], ['Characters after', 'number'], ['Saved', 'number']];
    const rows = this.ledger.deduplication.filter((one) => one.occurrences > 0).map((one) => [spaced(one.kind), integer(one.occurrences), integer(one.texts), integer(one.characters_before), integer(one.characters_after), percent(one.share_saved)]);
    return section('Repeated rules texts', rows.length ? simpleTable('Repeated rules texts', heads, rows) : nothing('No document carries rules texts.'));
  }

  unknown() {
    const { unknown_equipment: unknown } = this.ledger;
    if (!unknown.length) return section('Unknown equipment', nothing(this.ledger.counts.units ? 'Every unit’s default equipment is known.' : 'The ledger has no unit.'));
    const byReason = new Map();
    for (const one of unknown) {
      const [reason, detail] = reasonOf(one.reason);
      byReason.set(reason, [...(byReason.get(reason) ?? []), [one.unit, [one.edition, detail].filter(Boolean).join(': ')]]);
    }
    const rows = [...byReason].sort((a, b) => b[1].length - a[1].length).map(([reason, units]) => [reason, integer(units.length), namesOf(units)]);
    return section('Unknown equipment', simpleTable('Unknown equipment by reason', [['These units are in no ranking, because', 'named'], ['Units', 'number'], ['Which', 'named']], rows));
  }

  stages() {
    const { stages } = this.ledger;
    if (!stages.length) return section('Stages of the run', nothing('The warehouse carries no times of its run.'));
    const longest = Math.max(...stages.map((one) => one.seconds));
    const bar = (seconds) => {
      const element = el('div', { class: 'meter-bar', ariaHidden: 'true' });
      element.style.width = `${longest > 0 ? (100 * seconds) / longest : 0}%`;
      return element;
    };
    const heads = [['Stage'], ['Seconds', 'number'], ['Share of the longest', 'meter-cell'], ['Rows', 'number']];
    const rows = stages.map((one) => [one.stage, decimal(one.seconds, 2), bar(one.seconds), integer(one.rows)]);
    return section('Stages of the run', simpleTable('Stages of the run', heads, rows));
  }
}
