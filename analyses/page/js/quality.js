// What went in, what was lost, what the gate checked and how long it took.

const KIND_WORDS = { text_dump: 'Text dump', html_page: 'HTML page', csv_export: 'CSV export', community_dataset: 'Community data set' };

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
    place.append(this.figures(), ...this.failures(), ...this.documents(), ...this.issues(), ...this.deduplication(), ...coverageSections(this.ledger), ...this.unknown(), ...this.stages());
  }

  figures() {
    const { counts, documents, deduplication, unknown_equipment: unknown } = this.ledger;
    const parsed = documents.filter((one) => one.status === 'parsed').length;
    const whole = deduplication.find((one) => one.kind === 'all top-level blocks');
    const failed = counts.expectations !== counts.expectations_met;
    const tiles = [
      [`${integer(counts.expectations_met)} of ${integer(counts.expectations)}`, 'expectations passed', failed ? 'bad' : ''],
      [`${integer(parsed)} of ${integer(documents.length)}`, 'documents parsed in full', parsed < documents.length ? 'bad' : ''],
      [whole?.share_saved == null ? NONE : percent(whole.share_saved), 'of the rules text was repetition'],
      [percent(shareRead(this.ledger.coverage)), 'of the rules texts about damage were read'],
      [integer(unknown.length), 'units without known equipment'],
    ];
    return el('div', { class: 'figures' }, ...tiles.map(([value, label, kind]) => el('div', { class: `figure ${kind ?? ''}` }, el('b', {}, value), el('span', {}, label))));
  }

  failures() {
    const { failures } = this.ledger;
    if (!failures.length) return [];
    const heads = [['Expectation'], ['Table'], ['Column'], ['Seen'], ['Why it exists']];
    return section('Failed expectations', simpleTable('Failed expectations', heads, failures.map((one) => [one.expectation, one.table_name, one.column_name, one.observed, one.reason])));
  }

  documents() {
    const heads = [['Document', 'clip'], ['Title', 'clip'], ['Kind', 'clip'], ['Edition', 'clip'], ['Status'], ['Lines', 'number'], ['Bytes', 'number'], ['Dated', 'clip']];
    const rows = this.ledger.documents.map((one) => [
      one.path, one.title, KIND_WORDS[one.source_kind] ?? one.source_kind,
      one.edition === null ? null : `${one.edition}${one.edition_source === 'declared_default' ? ' (assumed)' : ''}`,
      el('span', { class: `status-${one.status}` }, one.status), integer(one.line_count), integer(one.byte_count), one.dated,
    ]);
    return section('Documents', rows.length ? simpleTable('Documents', heads, rows) : nothing('No document was read.'));
  }

  issues() {
    const heads = [['Severity'], ['Kind'], ['Issues', 'number'], ['Documents', 'number'], ['An example']];
    const rows = this.ledger.issues.map((one) => [el('span', { class: `status-${one.severity}` }, one.severity), spaced(one.code), integer(one.issues), integer(one.documents), one.example]);
    return section('Issues by kind', rows.length ? simpleTable('Issues by kind', heads, rows) : nothing(this.ledger.documents.length ? 'No issue was found in the documents.' : 'No document was read, so none can have an issue.'));
  }

  deduplication() {
    const heads = [['Kind of rules text'], ['Places', 'number'], ['Distinct texts', 'number'], ['Characters before', 'number'], ['after', 'number'], ['Saved', 'number']];
    const rows = this.ledger.deduplication.filter((one) => one.occurrences > 0).map((one) => [spaced(one.kind), integer(one.occurrences), integer(one.texts), integer(one.characters_before), integer(one.characters_after), percent(one.share_saved)]);
    return section('Repeated rules texts', rows.length ? simpleTable('Repeated rules texts', heads, rows) : nothing('No document carries rules texts.'));
  }

  unknown() {
    const { unknown_equipment: unknown } = this.ledger;
    if (!unknown.length) return section('Unknown equipment', nothing(this.ledger.counts.units ? 'Every unit’s default equipment is known.' : 'The ledger has no unit.'));
    const byReason = new Map();
    for (const { reason } of unknown) byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
    const counts = [...byReason].sort((a, b) => b[1] - a[1]).map(([reason, count]) => [reason, integer(count)]);
    const rows = unknown.slice(0, 500).map((one) => [one.unit, one.faction, one.collection, one.edition, one.reason]);
    const list = el('details', {}, el('summary', {}, 'Which units'), el('div', { class: 'table-box' }, simpleTable('Units without known equipment', [['Unit', 'clip'], ['Faction'], ['Collection'], ['Edition'], ['Why']], rows)));
    return [...section('Unknown equipment', simpleTable('Unknown equipment by reason', [['These units are in no ranking, because'], ['Units', 'number']], counts)), list];
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

/** A heading and its table in a box that scrolls by itself. */
function section(title, content) {
  return [el('h2', {}, title), el('div', { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': title }, content)];
}

const nothing = (text) => el('p', { class: 'empty' }, text);
