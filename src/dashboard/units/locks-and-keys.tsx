import { Empty } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import type { UnitDetail } from './unit-detail.js';

interface Key {
  readonly name: string | null;
  readonly tenant_id: string;
  readonly expires_at: string | null;
}

interface LocksAndKeysProps {
  readonly locks: readonly {
    readonly lock_id: string;
    readonly name: string;
    readonly serial: string | null;
  }[];
  /** Those that open them, a gate, or a lock that was taken off; null where that is not known any more. */
  readonly keys: readonly Key[] | null;
  readonly zone: string;
  /** Whether of an instant that is looked back at. */
  readonly isPast?: boolean;
  /** Whether a lock can be put on below. */
  readonly mayChange?: boolean;
}

/** The keys that still open something of a unit. */
export function keysOf({ locks, other_keys_outstanding }: UnitDetail): Key[] {
  const toLocks = locks.flatMap(({ name, keys_outstanding }) =>
    keys_outstanding.map((key) => ({ ...key, name })),
  );
  return [...toLocks, ...other_keys_outstanding];
}

/** The locks on a unit, with the keys to it that work. */
export function LocksAndKeys({ locks, keys, zone, isPast = false, mayChange = false }: LocksAndKeysProps) {
  if (locks.length === 0 && keys?.length === 0) {
    const text = isPast ? 'No lock was on it.' : 'No lock is on it: nobody is given a key to it.';
    return <Empty>{mayChange ? `${text} Put one on below.` : text}</Empty>;
  }
  return (
    <>
      {locks.length === 0 ? (
        <p>{isPast ? 'No lock was on it.' : 'No lock is on it.'}</p>
      ) : (
        <ul>
          {locks.map(({ lock_id, name, serial }) => (
            <li key={lock_id}>
              {name}
              {serial === null ? '' : ` (${serial})`}
            </li>
          ))}
        </ul>
      )}
      <Keys keys={keys} zone={zone} isPast={isPast} />
    </>
  );
}

/** The keys that work, and until when. */
export function Keys({ keys, zone, isPast }: Pick<LocksAndKeysProps, 'keys' | 'zone' | 'isPast'>) {
  if (keys === null)
    return <p class="hint">Which keys worked then is not known any more: that is kept for 30 days.</p>;
  if (keys.length === 0)
    return <p>{isPast ? 'No app held a key to it then.' : 'No app holds a key to it at the moment.'}</p>;
  return (
    <>
      {isPast ? (
        <p>Keys that worked then:</p>
      ) : (
        <p class="warning">
          An offline lock opens for keys given out until they expire, whatever is decided since.
        </p>
      )}
      <ul>
        {keys.map(({ name, tenant_id, expires_at }) => (
          <li key={`${tenant_id}-${name}`}>
            {name}: until <Instant at={expires_at} zone={zone} />
          </li>
        ))}
      </ul>
    </>
  );
}
