import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import {
  type AccessHours,
  hoursAt,
  LOCATION_EVENT_TYPES,
  type LocationDocument,
  LocationDirectory,
  type LocationEvent,
  locationStream,
} from '#domain/locations/index.js';
import { type ActivityReported, happenedAt } from '#domain/locks/index.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { CALENDAR, EVENT_STORE } from '#kernel/injection-tokens.js';
import { logged } from '../logged.js';

type GateReport = Extract<ActivityReported, { readonly type: 'EntryPointActivityReported' }>;

/** The hours of a location from an instant (milliseconds) on. */
interface HoursPeriod {
  readonly from: number;
  readonly access_hours: AccessHours | null;
}

/** Finds the reports of entry points that happened outside of their hours, within the time to leave too. */
@Injectable()
export class HoursOfReports {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly locations: LocationDirectory,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /** The `log_id` of each such report, by the hours of its instant. @throws StoreUnavailableError */
  async outside(reports: readonly ActivityReported[]): Promise<ReadonlySet<string>> {
    const atGates = reports.filter((one): one is GateReport => one.type === 'EntryPointActivityReported');
    const ids = [...new Set(atGates.map(({ data }) => data.location_id))];
    const found = new Set<string>();
    for (const location of await this.locations.locations(ids)) {
      if (location === undefined || location.hours_set_at.length === 0) continue;
      const here = atGates.map(({ data }) => data).filter(({ location_id }) => location_id === location._id);
      const tapped = here.map(({ entry_point_id }) => entry_point_id);
      const [periods, gates] = await Promise.all([
        this.#periods(location),
        this.locations.entryPointsEver(location, tapped),
      ]);
      for (const data of here) {
        const keepsHours = gates.get(data.entry_point_id)?.hours !== 'always';
        if (keepsHours && this.#isOutside(location, periods, data)) found.add(data.log_id);
      }
    }
    return found;
  }

  #isOutside(location: LocationDocument, periods: readonly HoursPeriod[], data: GateReport['data']): boolean {
    const at = happenedAt(data);
    const hours = periods.findLast(({ from }) => from <= at)?.access_hours ?? null;
    if (hours === null) return false;
    const { timezone } = location.policy;
    return hoursAt({ hours, timezone, clock: this.calendar }, at).state === 'closed';
  }

  /** Reads only the events that set the hours. */
  #periods({ _id, hours_set_at }: LocationDocument): Promise<HoursPeriod[]> {
    return Promise.all(
      hours_set_at.map(async (from) => {
        const [recorded] = await this.events.readStream(locationStream(_id), { from, limit: 1 });
        const event = logged<LocationEvent>(LOCATION_EVENT_TYPES, recorded!);
        if (event.type !== 'LocationHoursChanged')
          throw new Error('A view names another event as one of hours.');
        return { from: event.instant, access_hours: event.data.access_hours };
      }),
    );
  }
}
