import { isDeepStrictEqual } from 'node:util';
import type { HistoryEntry } from '#domain/history/index.js';
import type { NamesById } from '../names/thing-names.js';
import { eventText, fieldText, staffName } from '../parts/labels.js';
import { StateMark } from '../parts/states.js';
import { Unbroken } from '../parts/unbroken.js';
import { Instant } from '../parts/times.js';
import { instantText, valueText } from '../parts/words.js';

interface HistoryListProps {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly zone: string;
  readonly currency: string;
  readonly path: string;
  /** Names of the tenants and locations in the entries, by id. */
  readonly names: NamesById;
  /** True: with seconds, and the revision and hash of each event, to compare with the log. */
  readonly asProof?: boolean;
}

const CAUSES: Readonly<Record<string, string>> = {
  calendar: 'by the calendar',
  unit: 'by another unit of the tenant',
  policy: 'by a new policy of the site',
};

export function actorText({ actor, cause }: Pick<HistoryEntry, 'actor' | 'cause'>): string {
  if (cause !== undefined) return CAUSES[cause.kind] ?? cause.kind;
  return `by ${staffName(actor)}`;
}

const OVERRIDDEN: Readonly<Record<string, string>> = { exempt: 'Let in', lockout: 'Locked out' };

/** Together with who did it, it is a sentence: “Let in by dana@example.com”. */
function entryText({ type, changes }: HistoryEntry): string {
  if (type === 'AccessOverrideCleared') return 'Override removed';
  const override = type === 'AccessOverridden' ? changes['override']?.to : undefined;
  return (typeof override === 'string' && OVERRIDDEN[override]) || eventText(type);
}

export function NamesOfToday() {
  return (
    <p class="hint">
      Names shown are current. The history holds no name and no phone number, so they can be erased.
    </p>
  );
}

/** Entries of the history. Each leads to the unit's page of that instant. */
export function HistoryList({ entries, zone, currency, path, names, asProof = false }: HistoryListProps) {
  return (
    <ol class="entries">
      {entries.map((entry) => (
        <li key={`${entry.revision}-${entry.occurred_at}`}>
          <p>
            <strong>{entryText(entry)}</strong> {actorText(entry)},{' '}
            <a href={`${path}?at=${entry.occurred_at}`}>
              <Instant at={entry.occurred_at} zone={zone} precision={asProof ? 'second' : 'minute'} />
            </a>
            {entry.access === undefined ? null : (
              <>
                {' '}
                <StateMark {...entry.access.to} />
              </>
            )}
          </p>
          <Changes {...{ entry, names, asProof, zone, currency }} />
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

/** Fields of changes that are ids, and the kind of thing they name. */
const NAMED: Readonly<Record<string, string>> = {
  tenant_id: 'tenant',
  shared_with: 'shared with',
  invited: 'invited',
  location_id: 'location',
  transferred_from: 'from unit',
  transferred_to: 'to unit',
};

/** Only a proof names a unit by this service's identifier. */
const FOR_PROOF = 'unit_id';

/** An event also names fields that it set to what they were. */
export function changedFields(changes: HistoryEntry['changes']) {
  return Object.entries(changes).filter(([, { from, to }]) => !isDeepStrictEqual(from ?? null, to ?? null));
}

/** What the words of a change need. */
interface ChangeWords {
  readonly names: NamesById;
  /** True: an id follows each name. */
  readonly withIds: boolean;
  readonly currency: string;
}

/** A change of a fact, in words. */
export function changeText(
  name: string,
  { from, to }: HistoryEntry['changes'][string],
  { names, withIds, currency }: ChangeWords,
): string {
  const title = NAMED[name];
  if (title === undefined)
    return `${fieldText(name)}: ${valueText(name, from, currency)} → ${valueText(name, to, currency)}`;
  const textOf = (ids: unknown) => namesText([ids ?? []].flat() as string[], names, withIds);
  return `${title}: ${textOf(from)} → ${textOf(to)}`;
}

/** Fields of changes that are instants. */
const ENDS: Readonly<Record<string, string>> = {
  expires_at: 'ends',
  shared_until: 'share ends',
};

/** The end of an override or a share, in local time. */
function endText(title: string, { from, to }: HistoryEntry['changes'][string], zone: string): string {
  const textOf = (at: unknown) => (typeof at === 'string' ? instantText(at, zone) : 'none');
  return `${title}: ${textOf(from)} → ${textOf(to)}`;
}

function namesText(ids: readonly string[], names: NamesById, withIds: boolean): string {
  if (ids.length === 0) return 'none';
  const texts = ids.map((id) => {
    const name = names.get(id);
    if (name === undefined) return id;
    return withIds ? `${name} (${id})` : name;
  });
  return texts.join(', ');
}

type ChangesProps = Pick<HistoryListProps, 'names' | 'zone' | 'currency'> & {
  readonly entry: HistoryEntry;
  readonly asProof: boolean;
};

function Changes({ entry: { changes }, names, asProof, zone, currency }: ChangesProps) {
  const changed = changedFields(changes).filter(([name]) => asProof || name !== FOR_PROOF);
  if (changed.length === 0) return null;
  return (
    <ul class="changes">
      {changed.map(([name, change]) => (
        <li key={name}>
          <Unbroken
            text={
              name in ENDS
                ? endText(ENDS[name]!, change, zone)
                : changeText(name, change, { names, withIds: asProof, currency })
            }
          />
        </li>
      ))}
    </ul>
  );
}
