import type { HistoryEntry } from '../../history/index.js';
import { StateMark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { eventText, nameText, valueText } from '../parts/words.js';

interface HistoryListProps {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly zone: string;
  readonly path: string;
  /** Whether it is to be held against the log: with seconds, and each event's revision and hash. */
  readonly asProof?: boolean;
}

const CAUSES: Readonly<Record<string, string>> = {
  calendar: 'by the calendar',
  unit: 'by another unit of the tenant',
  policy: 'by a new policy of the location',
};

export function actorText({ actor, cause }: Pick<HistoryEntry, 'actor' | 'cause'>): string {
  if (cause !== undefined) return CAUSES[cause.kind] ?? cause.kind;
  return `by ${nameText(actor.kind)} ${actor.name ?? actor.id}`;
}

/** What happened, entry by entry; each leads to the page as it was right then. */
export function HistoryList({ entries, zone, path, asProof = false }: HistoryListProps) {
  return (
    <ol class="entries">
      {entries.map((entry) => (
        <li key={`${entry.revision}-${entry.occurred_at}`}>
          <p>
            <strong>{eventText(entry.type)}</strong> {actorText(entry)},{' '}
            <a href={`${path}?at=${entry.occurred_at}`}>
              <Instant at={entry.occurred_at} zone={zone} to={asProof ? 'second' : 'minute'} />
            </a>
            {entry.access === undefined ? null : (
              <>
                {' '}
                <StateMark {...entry.access.to} />
              </>
            )}
          </p>
          <Changes entry={entry} />
          {asProof && entry.hash !== null ? (
            <p class="hint">
              Revision {entry.revision}, hash <code>{entry.hash}</code>
            </p>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

/** How a fact was changed, in words. */
export function changeText(name: string, { from, to }: HistoryEntry['changes'][string]): string {
  return `${nameText(name)}: ${valueText(name, from)} → ${valueText(name, to)}`;
}

function Changes({ entry: { changes } }: { readonly entry: HistoryEntry }) {
  const named = Object.entries(changes);
  if (named.length === 0) return null;
  return (
    <ul class="changes">
      {named.map(([name, change]) => (
        <li key={name}>{changeText(name, change)}</li>
      ))}
    </ul>
  );
}
