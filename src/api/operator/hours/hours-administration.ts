import { Injectable } from '@nestjs/common';
import { HoursLog } from '#domain/history/index.js';
import {
  type AccessHours,
  accessHours,
  contradicting,
  type HoursChange,
  hoursChanges,
  LocationDirectory,
  type LocationDocument,
} from '#domain/locations/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import type { RequestContext } from '#web/request-context.js';
import { found } from '../facility.refusals.js';
import { LocationCommands } from '../location-commands.js';

/** Hours that somebody saw, and what they are now. A revision is null if the location had been given none. */
export interface SeenHours {
  readonly seen: AccessHours | null;
  readonly current: AccessHours | null;
  readonly revision: number | null;
}

/** Hours of locations, changed from the hours that an operator saw. Every method throws ApiError 404. */
@Injectable()
export class HoursAdministration {
  constructor(
    private readonly commands: LocationCommands,
    private readonly directory: LocationDirectory,
    private readonly log: HoursLog,
  ) {}

  /** @param revision of the hours that were seen. Undefined: those of now. @throws ApiError 409 if no hours have it */
  async readSeen(location_id: string, revision: number | null | undefined): Promise<SeenHours> {
    const location = await this.#find(location_id);
    const current = { current: location.access_hours, revision: revisionOf(location) };
    if (revision === undefined || revision === current.revision)
      return { ...current, seen: location.access_hours };
    return { ...current, seen: await this.#hoursAt(location, revision) };
  }

  /** The newest changes of the hours of a location and its entry points, newest first. */
  async listNewest(location_id: string, limit: number) {
    const location = await this.#find(location_id);
    const names = new Map(location.entry_points.map(({ entry_point_id, name }) => [entry_point_id, name]));
    return { changes: await this.log.listNewest(location, limit), names };
  }

  /** Saves whole hours, unless others were set since the revision. @throws ApiError 409 then, 422 */
  async saveHours(
    location_id: string,
    hours: AccessHours,
    revision: number | null,
    context: RequestContext,
  ): Promise<void> {
    const access_hours = accessHours(hours);
    await this.commands.write(
      { type: 'ChangeLocation', location_id, access_hours, hours_from: revision },
      context,
    );
  }

  async #hoursAt(location: LocationDocument, revision: number | null): Promise<AccessHours | null> {
    if (revision === null) return null;
    if (!location.hours_set_at.includes(revision)) throw errorOf('hours_changed');
    const period = await this.log.readPeriod(location.location_id, revision);
    if (period === undefined) throw errorOf('hours_changed');
    return period.hours;
  }

  async #find(location_id: string): Promise<LocationDocument> {
    return found(await this.directory.location(location_id), 'location_not_found');
  }
}

function revisionOf({ hours_set_at }: LocationDocument): number | null {
  return hours_set_at.at(-1) ?? null;
}

/** What others have made since of the parts that are changed. */
export function contradictingSince({ seen, current }: SeenHours, changes: readonly HoursChange[]) {
  return contradicting(changes, hoursChanges(seen, current));
}
