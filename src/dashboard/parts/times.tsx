import { LOCKOUT_DAYS } from '../../history/index.js';
import { instantText, type Precision } from './words.js';

interface InstantProps {
  /** ISO 8601 or milliseconds. */
  readonly at: string | number | null;
  readonly zone?: string | undefined;
  /** The text for null. */
  readonly none?: string;
  readonly precision?: Precision;
}

/** Since when a unit is locked out: null is before the counted days, undefined is not known. */
export function LockedOutSince({ at, zone }: { at: string | number | null | undefined; zone: string }) {
  if (at === undefined) return <span class="none">none</span>;
  return <Instant at={at} zone={zone} none={`over ${LOCKOUT_DAYS} days ago`} precision="day" />;
}

/** An instant in a time zone. The tooltip shows seconds. */
export function Instant({ at, zone, none = 'never', precision }: InstantProps) {
  if (at === null) return <span class="none">{none}</span>;
  return (
    <time
      dateTime={typeof at === 'string' ? at : new Date(at).toISOString()}
      title={instantText(at, zone, 'second')}
    >
      {instantText(at, zone, precision)}
    </time>
  );
}
