import { Empty } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import type { UnitDetail } from './unit-detail.js';

interface LocksAndKeysProps {
  readonly unit: UnitDetail;
}

/** The locks on a unit, with the keys that still open them, a gate, or a lock that was taken off. */
export function LocksAndKeys({ unit }: LocksAndKeysProps) {
  const { locks, other_keys_outstanding } = unit;
  if (locks.length === 0 && other_keys_outstanding.length === 0)
    return <Empty>No lock is on it: nobody is given a key to it. Put one on below.</Empty>;
  return (
    <>
      {locks.length === 0 ? (
        <p>No lock is on it.</p>
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
      <Keys unit={unit} />
    </>
  );
}

function Keys({ unit: { locks, other_keys_outstanding, location } }: LocksAndKeysProps) {
  const keys = [
    ...locks.flatMap(({ name, keys_outstanding }) => keys_outstanding.map((key) => ({ ...key, name }))),
    ...other_keys_outstanding,
  ];
  if (keys.length === 0) return <p>No key to it works at the moment.</p>;
  return (
    <>
      <p class="warning">
        An offline lock opens for keys given out until they expire, whatever is decided since.
      </p>
      <ul>
        {keys.map(({ name, tenant_id, expires_at }) => (
          <li key={`${tenant_id}-${name}`}>
            {name}: until <Instant at={expires_at} zone={location.timezone} />
          </li>
        ))}
      </ul>
    </>
  );
}
