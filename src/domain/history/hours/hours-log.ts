import { Inject, Injectable } from '@nestjs/common';
import {
  type AccessHours,
  LOCATION_EVENT_TYPES,
  type EntryPointState,
  type LocationDocument,
  type LocationEvent,
  locationStream,
} from '#domain/locations/index.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import type { Logged } from '../core/unit-record.js';
import { logged } from '../logged.js';

/** The hours of a location from an instant (milliseconds) on. Null: always open. */
export interface HoursPeriod {
  readonly from: number;
  readonly access_hours: AccessHours | null;
}

type LocationOfHours = Pick<LocationDocument, 'location_id' | 'hours_set_at' | 'policy_revision'>;
type GateOfHours = Pick<EntryPointState, 'entry_point_id' | 'revision'>;

/** Reads the events that set the hours of locations, and no others. Every method throws StoreUnavailableError. */
@Injectable()
export class HoursLog {
  constructor(@Inject(EVENT_STORE) private readonly events: EventStore) {}

  /** The hours that a location got at a revision, one of its `hours_set_at`. */
  async readPeriod(location_id: string, revision: number): Promise<HoursPeriod> {
    const event = await this.#event(location_id, revision);
    if (event.type !== 'LocationHoursChanged') throw new Error('A view names another event as one of hours.');
    return { from: event.instant, access_hours: event.data.access_hours };
  }

  /**
   * The instant (milliseconds) of the last change to each gate, to the hours of its location or to their time zone. What the
   * hours say of an earlier instant may not have been so.
   */
  async findLastChanges(
    { location_id, hours_set_at, policy_revision }: LocationOfHours,
    gates: readonly GateOfHours[],
  ): Promise<ReadonlyMap<string, number>> {
    const ofLocation = Math.max(policy_revision, ...hours_set_at.slice(-1));
    const revisionOf = ({ revision }: GateOfHours) => Math.max(ofLocation, revision);
    const revisions = [...new Set(gates.map(revisionOf))];
    const read = async (revision: number) =>
      [revision, (await this.#event(location_id, revision)).instant] as const;
    const instants = new Map(await Promise.all(revisions.map(read)));
    return new Map(gates.map((gate) => [gate.entry_point_id, instants.get(revisionOf(gate))!]));
  }

  async #event(location_id: string, from: number): Promise<Logged<LocationEvent>> {
    const [recorded] = await this.events.readStream(locationStream(location_id), { from, limit: 1 });
    return logged<LocationEvent>(LOCATION_EVENT_TYPES, recorded!);
  }
}
