import { Empty } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import type { UnitDetail } from './unit-detail.js';

/** The locks on a unit, with the keys that still open them. */
export function LocksAndKeys({
  unit: { locks, other_keys_outstanding, location },
}: {
  readonly unit: UnitDetail;
}) {
  if (locks.length === 0) return <Empty>No lock is on it: nobody is given a key. Put one on below.</Empty>;
  const keys = [
    ...locks.flatMap(({ name, keys_outstanding }) => keys_outstanding.map((key) => ({ ...key, name }))),
    ...other_keys_outstanding,
  ];
  return (
    <>
      <ul>
        {locks.map(({ lock_id, name, serial }) => (
          <li key={lock_id}>
            {name}
            {serial === null ? '' : ` (${serial})`}
          </li>
        ))}
      </ul>
      {keys.length === 0 ? (
        <p>No key to it works at the moment.</p>
      ) : (
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
      )}
    </>
  );
}
