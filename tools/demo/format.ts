import type { CheckShown, HistoryEntryShown, ResolutionShown } from './answers.js';

/** Widest line that is printed. */
const WIDTH = 110;

/** `Narrator.shows` indents lines by so many spaces. */
const INDENT = 4;
const GAP = '  ';

/** A table with aligned columns. The first row is its head. The last column is wrapped. */
export function table(rows: readonly (readonly string[])[], width = WIDTH - INDENT): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const last = Math.min(widths.at(-1) ?? 0, width - before);
  const lines = rows.map((row) => {
    const cells = row.slice(0, columns - 1).map((cell, column) => cell.padEnd(widths[column]!) + GAP);
    const [first, ...more] = wrap(row[columns - 1] ?? '', last).map((text) => text.replaceAll('\u00a0', ' '));
    return [`${cells.join('')}${first}`.trimEnd(), ...more.map((text) => ' '.repeat(before) + text)];
  });
  const rule = [...widths.slice(0, -1), last].map((wide) => '-'.repeat(wide)).join(GAP);
  return [...lines.slice(0, 1), [rule], ...lines.slice(1)].flat();
}

/** Breaks a text between words into lines of at most `width`. A longer word gets its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Cuts a line at the width of the page. */
export function fit(line: string, width = WIDTH): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** A fact's value for people. */
export function value(given: unknown): string {
  if (given === null || given === undefined) return 'none';
  if (typeof given === 'boolean') return given ? 'yes' : 'no';
  if (typeof given === 'number') return String(given);
  return typeof given === 'string' ? given : JSON.stringify(given);
}

/** The beginning of a credential: enough to recognise it, too little to use it. */
export function shortened(secret: string): string {
  return secret.length <= 12 ? '…' : `${secret.slice(0, 8)}… (${secret.length} characters)`;
}

/** State and reason, such as `tenant_denied: delinquent`. */
export function stateOf({
  state,
  reason,
}: {
  readonly state: string;
  readonly reason: string | null;
}): string {
  return reason === null ? state : `${state}: ${reason}`;
}

/** The checks up to the one that decided, with the values that each read. */
export function checkTable(checks: readonly CheckShown[]): string[] {
  const decided = checks.findIndex(({ matched }) => matched);
  const seen = decided === -1 ? checks : checks.slice(0, decided + 1);
  const rows = seen.map((check, position) => [
    String(position + 1),
    check.name,
    check.matched ? 'YES' : 'no',
    lookedAt(check),
  ]);
  return table([['#', 'check', 'matched', 'looked at'], ...rows]);
}

function lookedAt({ looked_at }: CheckShown): string {
  // A name and its value stay on one line.
  return looked_at.map(({ name, value: given }) => `${name}\u00a0${value(given)}`).join(', ');
}

/** The changes that would permit access, each with its unit. */
export function resolutionOf({ resolution }: ResolutionShown): string {
  if (resolution === null) return 'nobody rents it';
  if (resolution.length === 0) return 'nothing: access is permitted';
  return resolution
    .map(({ crm_unit_id, field, to }) => `${field} of ${crm_unit_id} → ${value(to)}`)
    .join(', ');
}

/** A unit's history, one entry a line. */
export function timeline(entries: readonly HistoryEntryShown[], at: (timestamp: string) => string): string[] {
  const rows = entries.map((entry) => [
    entry.revision === null ? '·' : String(entry.revision),
    at(entry.occurred_at),
    entry.type,
    entry.cause === undefined ? entry.actor.kind : `${entry.cause.kind} (computed)`,
    entry.access === undefined ? '' : stateOf(entry.access.to),
  ]);
  return table([['rev', 'when', 'what', 'who', 'access from then on'], ...rows]);
}

/** Counts equal labels, the most frequent first. */
export function tally(labels: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
}
