import { Inject, Injectable } from '@nestjs/common';
import {
  type AccessHours,
  LOCATION_EVENT_TYPES,
  type EntryPointHours,
  type EntryPointState,
  LOCATION_CATEGORY,
  LocationDirectory,
  type LocationDocument,
  type LocationEvent,
  locationStream,
} from '#domain/locations/index.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import type { EventStore, JsonObject, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { ActorNames } from '../actor-names.js';
import type { ReplacedSetting } from '../settings/settings-log.js';
import {
  hoursBefore,
  type HoursSet,
  type HoursSetting,
  newestSettings,
  revisionBefore,
} from '../core/hours-history.js';
import type { Logged } from '../core/unit-record.js';
import { logged } from '../logged.js';

/** Hours from an instant (milliseconds) on. */
interface Period<Hours> {
  readonly from: number;
  readonly hours: Hours;
}

/** The hours of a location. Null: always open. */
export type HoursPeriod = Period<AccessHours | null>;

/** A change of hours, and who made it. */
export type LoggedHours = HoursSet & {
  readonly revision: number;
  readonly occurred_at: string;
  readonly actor: Actor & { readonly name: string | null };
};

type LocationOfHours = Pick<LocationDocument, 'location_id' | 'hours_set_at' | 'policy_revision'>;
type GateOfHours = Pick<EntryPointState, 'entry_point_id' | 'revision'>;

/** Reads the events that set the hours of locations, and no others. Every method throws StoreUnavailableError. */
@Injectable()
export class HoursLog {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly locations: LocationDirectory,
    private readonly names: ActorNames,
  ) {}

  /** The hours that a location got at a revision, one of its `hours_set_at`. Undefined: somebody deleted the event. */
  async readPeriod(location_id: string, revision: number): Promise<HoursPeriod | undefined> {
    const event = await this.#event(location_id, revision);
    if (event === undefined) return undefined;
    if (event.type !== 'LocationHoursChanged') throw wrongEvent();
    return { from: event.instant, hours: event.data.access_hours };
  }

  /** As {@link readPeriod}, for the own hours of an entry point. */
  async readGatePeriod(location_id: string, revision: number): Promise<Period<EntryPointHours> | undefined> {
    const event = await this.#event(location_id, revision);
    if (event === undefined) return undefined;
    if (event.type !== 'EntryPointHoursChanged') throw wrongEvent();
    return { from: event.instant, hours: event.data.hours };
  }

  /** The newest changes of the hours of a location and the entry points that it has, newest first. */
  async listNewest(location: LocationDocument, limit: number): Promise<LoggedHours[]> {
    const { location_id, company_id } = location;
    const settings = newestSettings(location, location.entry_points, limit);
    const read = await Promise.all(settings.map((setting) => this.#change(location_id, setting)));
    const found = read.flatMap((one) => one ?? []);
    const nameOf = await this.names.findNames(
      found.map(({ event }) => event.metadata.actor),
      company_id,
    );
    return found.map(({ event: { revision, instant, metadata }, change }) => {
      const actor = { ...metadata.actor, name: nameOf(metadata.actor) };
      return { ...change, revision, occurred_at: toTimestamp(instant), actor };
    });
  }

  /** What the hours of a location were before each event that set them, by the event's position. */
  async findHoursBefore(events: readonly RecordedEvent[]): Promise<ReadonlyMap<string, ReplacedSetting>> {
    const setting = events.filter(({ type }) => type === HOURS_CHANGED);
    const ids = [...new Set(setting.map(({ stream }) => locationOfStream(stream)))];
    const locations = new Map(
      (await this.locations.locations(ids)).flatMap((one) => (one === undefined ? [] : [[one._id, one]])),
    );
    const read = async ({ stream, revision, position }: RecordedEvent) => {
      const location_id = locationOfStream(stream);
      const previous = revisionBefore(locations.get(location_id)?.hours_set_at ?? [], revision);
      const before = await this.#hoursAt(location_id, previous);
      if (before === undefined) return [];
      return [[String(position), { before: before as unknown as JsonObject }] as const];
    };
    return new Map((await Promise.all(setting.map(read))).flat());
  }

  /**
   * The instant (milliseconds) of the last change to each gate, to the hours of its location or to their time zone. What the
   * hours say of an earlier instant may not have been so. `Infinity`: somebody deleted the event.
   */
  async findLastChanges(
    { location_id, hours_set_at, policy_revision }: LocationOfHours,
    gates: readonly GateOfHours[],
  ): Promise<ReadonlyMap<string, number>> {
    const ofLocation = Math.max(policy_revision, ...hours_set_at.slice(-1));
    const revisionOf = ({ revision }: GateOfHours) => Math.max(ofLocation, revision);
    const revisions = [...new Set(gates.map(revisionOf))];
    const read = async (revision: number) =>
      [revision, (await this.#event(location_id, revision))?.instant ?? Infinity] as const;
    const instants = new Map(await Promise.all(revisions.map(read)));
    return new Map(gates.map((gate) => [gate.entry_point_id, instants.get(revisionOf(gate))!]));
  }

  async #change(location_id: string, setting: HoursSetting) {
    const event = await this.#event(location_id, setting.revision);
    if (event === undefined) return undefined;
    const change = await this.#changeOf(location_id, setting, event);
    return change && { event, change };
  }

  async #changeOf(
    location_id: string,
    setting: HoursSetting,
    event: Logged<LocationEvent>,
  ): Promise<HoursSet | undefined> {
    if (setting.kind === 'entry_point' && event.type === 'EntryPointHoursChanged') {
      const { entry_point_id, hours } = event.data;
      return { kind: 'entry_point', entry_point_id, from: hoursBefore(hours), to: hours };
    }
    if (setting.kind !== 'location' || event.type !== 'LocationHoursChanged') throw wrongEvent();
    const before = await this.#hoursAt(location_id, setting.previous);
    return before && { kind: 'location', from: before.access_hours, to: event.data.access_hours };
  }

  /** @param revision undefined: before any were set */
  async #hoursAt(location_id: string, revision: number | undefined) {
    if (revision === undefined) return { access_hours: null };
    const period = await this.readPeriod(location_id, revision);
    return period && { access_hours: period.hours };
  }

  async #event(location_id: string, from: number): Promise<Logged<LocationEvent> | undefined> {
    const [recorded] = await this.events.readStream(locationStream(location_id), { from, limit: 1 });
    return recorded && logged<LocationEvent>(LOCATION_EVENT_TYPES, recorded);
  }
}

const HOURS_CHANGED: LocationEvent['type'] = 'LocationHoursChanged';

function locationOfStream(stream: string): string {
  return stream.slice(LOCATION_CATEGORY.length + 1);
}

function wrongEvent(): Error {
  return new Error('A view names another event as one of hours.');
}
