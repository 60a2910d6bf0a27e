import { type AccessState, isLockedOut } from '#domain/access/index.js';
import { LOCKOUT_DAYS } from '#domain/history/index.js';
import { None } from './layout.js';
import { countText, instantText, type Precision, recentText, zoneText } from './words.js';

interface InstantProps {
  /** ISO 8601 or milliseconds. */
  readonly at: string | number | null;
  readonly zone?: string | undefined;
  /** The text for null. */
  readonly none?: string;
  readonly precision?: Precision;
}

interface LockedOutSinceProps {
  readonly access: { readonly state: AccessState; readonly reason: string | null };
  /** Null is before the counted days, undefined is not counted yet. */
  readonly at: string | number | null | undefined;
  readonly zone: string;
}

/** This service may have seen a lockout later than it began: a debt that was imported. */
export const KNOWN_SINCE = 'Locked out since at least';

/** The value of {@link KNOWN_SINCE}. */
export function LockedOutSince({ access, at, zone }: LockedOutSinceProps) {
  if (!isLockedOut(access)) return <None>–</None>;
  if (at === undefined) return <None>not counted yet</None>;
  return <Instant at={at} zone={zone} none={`over ${LOCKOUT_DAYS} days ago`} precision="day" />;
}

/** An instant in a time zone. The tooltip shows seconds. */
export function Instant({ at, zone, none = 'never', precision }: InstantProps) {
  if (at === null) return <None>{none}</None>;
  return (
    <time
      dateTime={typeof at === 'string' ? at : new Date(at).toISOString()}
      title={instantText(at, zone, 'second')}
    >
      {instantText(at, zone, precision)}
    </time>
  );
}

/** `Chicago, Central Time`. The tooltip shows the IANA name. */
export function ZoneName({ zone }: { readonly zone: string }) {
  return <span title={zone}>{zoneText(zone)}</span>;
}

/** When a thing was removed. @param at milliseconds; undefined: it is there */
export function Removed({ at, zone }: { readonly at: number | undefined; readonly zone: string }) {
  if (at === undefined) return null;
  return (
    <p>
      Removed <Instant at={at} zone={zone} />.
    </p>
  );
}

interface AgoProps {
  /** ISO 8601. */
  readonly at: string;
  readonly now: string;
  readonly zone: string;
}

/** `12 minutes ago`, for what concerns sites in several time zones. The tooltip shows the instant. */
export function Ago({ at, now, zone }: AgoProps) {
  const minutes = Math.floor((Date.parse(now) - Date.parse(at)) / 60_000);
  return (
    <time dateTime={at} title={instantText(at, zone, 'second')}>
      {minutes < 1 ? 'just now' : `${countText(minutes, 'minute')} ago`}
    </time>
  );
}

interface RecentProps {
  /** ISO 8601 or milliseconds. */
  readonly at: string | number;
  readonly zone: string;
  /** Milliseconds. */
  readonly now: number;
  /** `within` a sentence days begin small. */
  readonly place?: 'within';
}

/** `Today 9:56 AM`, `Yesterday 6:05 PM`, `Nov 23, 6:12 PM`. The tooltip shows the whole instant. */
export function Recent({ at, zone, now, place }: RecentProps) {
  const instant = new Date(at);
  return (
    <time dateTime={instant.toISOString()} title={instantText(at, zone, 'second')}>
      {recentText(instant.getTime(), zone, now, place)}
    </time>
  );
}
