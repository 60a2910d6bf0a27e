import type { AccessHours } from '../../locations/core/hours/access-hours.js';
import type { EntryPointHours } from '../../locations/core/location.events.js';
import type { EntryPointState, LocationDetails } from '../../locations/core/location.state.js';

/** A revision of a location's stream that set hours, and the one that set them before. */
export type HoursSetting =
  | { readonly kind: 'location'; readonly revision: number; readonly previous: number | undefined }
  | {
      readonly kind: 'entry_point';
      readonly revision: number;
      readonly entry_point_id: string;
    };

/** A change of hours, as it is told. Null: always open. */
export type HoursSet =
  | {
      readonly kind: 'location';
      readonly from: AccessHours | null;
      readonly to: AccessHours | null;
    }
  | {
      readonly kind: 'entry_point';
      readonly entry_point_id: string;
      readonly from: EntryPointHours;
      readonly to: EntryPointHours;
    };

type Gate = Pick<EntryPointState, 'entry_point_id' | 'hours_set_at'>;

/** The newest settings of the hours of a location and its entry points, newest first. */
export function newestSettings(
  { hours_set_at }: Pick<LocationDetails, 'hours_set_at'>,
  gates: readonly Gate[],
  limit: number,
): HoursSetting[] {
  const ofLocation = hours_set_at.map((revision): HoursSetting => {
    return { kind: 'location', revision, previous: revisionBefore(hours_set_at, revision) };
  });
  const ofGates = gates.flatMap(({ entry_point_id, hours_set_at: own }) =>
    own.map((revision): HoursSetting => ({ kind: 'entry_point', revision, entry_point_id })),
  );
  return [...ofLocation, ...ofGates].sort((one, other) => other.revision - one.revision).slice(0, limit);
}

/** The last revision before another. @param revisions oldest first */
export function revisionBefore(revisions: readonly number[], revision: number): number | undefined {
  return revisions.findLast((one) => one < revision);
}

/** What an entry point kept before its own hours changed: there are two values. */
export function hoursBefore(to: EntryPointHours): EntryPointHours {
  return to === 'always' ? 'location' : 'always';
}
