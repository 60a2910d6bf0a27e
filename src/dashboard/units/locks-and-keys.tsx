import { Empty } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import type { UnitDetail } from './unit-detail.js';

interface Key {
  readonly name: string | null;
  readonly tenant_id: string;
  readonly expires_at: string | null;
}

interface KeysProps {
  /** Null where that is not known any more. */
  readonly keys: readonly Key[] | null;
  readonly zone: string;
  readonly isPast?: boolean;
}

/** The keys that still open something of a unit. */
export function keysOf({ locks, other_keys_outstanding }: UnitDetail): Key[] {
  const toLocks = locks.flatMap(({ name, keys_outstanding }) =>
    keys_outstanding.map((key) => ({ ...key, name })),
  );
  return [...toLocks, ...other_keys_outstanding];
}

interface LocksThenProps extends KeysProps {
  readonly locks: readonly {
    readonly lock_id: string;
    readonly name: string;
    readonly serial: string | null;
  }[];
}

/** The locks that were on a unit, with the keys to it that worked. */
export function LocksThen({ locks, keys, zone }: LocksThenProps) {
  return (
    <>
      {locks.length === 0 ? (
        <Empty>No lock was on it.</Empty>
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
      {locks.length === 0 && keys?.length === 0 ? null : <Keys keys={keys} zone={zone} isPast />}
    </>
  );
}

export function Keys({ keys, zone, isPast = false }: KeysProps) {
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
          These keys were given out and still work at an offline lock, until they expire, also if the unit is
          locked out since.
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
