import { Inject, Injectable } from '@nestjs/common';
import { Yielder } from '../../config/yielder.js';
import { toTimestamp } from '../../config/clock.js';
import { EVENT_STORE } from '../../config/injection-tokens.js';
import { LOCATION_CATEGORY, LOCATION_EVENT_TYPES, LocationDirectory } from '../../locations/index.js';
import { ACTIVITY_EVENT_TYPES } from '../../locks/index.js';
import { decodeEvent, type EventTypes } from '../../log/codec.js';
import type { DomainEvent, StoredDomainEvent } from '../../log/domain-event.js';
import { PositionLostError } from '../../log/event-store.errors.js';
import type { EventStore, JsonObject, RecordedEvent } from '../../log/event-store.js';
import { TENANT_EVENT_TYPES } from '../../tenants/index.js';
import { UNIT_CATEGORY, UNIT_EVENT_TYPES, UnitDirectory, type UnitDocument } from '../../units/index.js';
import { ActorNames } from '../actor-names.js';
import { presentData } from '../core/feed.js';
import { FED_FIELDS } from './fed-fields.js';

/** The events that integrators may follow: none of operators, credentials or other sources. */
const FED: EventTypes = {
  ...UNIT_EVENT_TYPES,
  ...LOCATION_EVENT_TYPES,
  ...TENANT_EVENT_TYPES,
  ...ACTIVITY_EVENT_TYPES,
};

export const FED_TYPES: readonly string[] = Object.keys(FED_FIELDS);

export interface FeedRange {
  /** Position in the log behind which it begins; from the first event where absent. */
  readonly after: bigint | undefined;
  readonly limit: number;
  /** Only of these types; of all where absent. */
  readonly types: ReadonlySet<string> | undefined;
}

/** Events of the log that one page looks at, of whatever company: it may be short or empty although more follow. */
const MOST_LOOKED_AT = 5_000;
const READ_AT_ONCE = 500;

/** An event to tell, and where a page that ends before it stands. */
interface Found {
  readonly event: RecordedEvent;
  readonly before: bigint | undefined;
}

interface LookedThrough {
  readonly events: readonly RecordedEvent[];
  readonly end: bigint | undefined;
}

/**
 * Events of a company's units, locations, tenants and locks, in the order of the log. Owner and unit name come from
 * the views, which lag behind the log. A page ends before an event that the views do not know yet. Throws
 * StoreUnavailableError.
 */
@Injectable()
export class EventFeed {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly names: ActorNames,
  ) {}

  /**
   * `next_after` is where the next page begins: past all that this one looked at, as it came where there is nothing new.
   * @throws PositionLostError where `after` is no position of this log, or one that it has not reached
   */
  async page(company_id: string, range: FeedRange) {
    const { found, place } = await this.#find(company_id, range);
    if (range.after !== undefined && place === range.after) await this.#demandReached(range.after);
    const units = await this.#unitsOf(found.map(({ event }) => event));
    const unknown = found.find(({ event: { stream } }) => isOfUnit(stream) && !units.has(stream));
    const told = unknown === undefined ? found : found.slice(0, found.indexOf(unknown));
    const next = unknown === undefined ? place : unknown.before;
    const events = told.map(({ event }) => event);
    return {
      events: await this.#present(events, units, company_id),
      next_after: next === undefined ? null : String(next),
    };
  }

  /** The company's events as operators are told of them, but for those of units that the views do not know yet. */
  async toldToOperators(company_id: string, events: readonly RecordedEvent[]) {
    const units = await this.#unitsOf(events);
    const known = events.filter(({ stream }) => !isOfUnit(stream) || units.has(stream));
    return this.#present(known, units, company_id, true);
  }

  /**
   * A reader may be ahead of the log if a backup took its place. It would miss all events until the log is as long
   * again. Positions pass events of others, so the whole store must reach as far.
   */
  async #demandReached(after: bigint): Promise<void> {
    const head = await this.events.head();
    if (head === undefined || head < after) throw new PositionLostError(after);
  }

  /** The company's own events, and how far was looked. */
  async #find(company_id: string, { after, limit, types }: FeedRange) {
    const found: Found[] = [];
    const isOwn = this.ownerOf(company_id);
    let place = after;
    for await (const { events, end } of this.#ahead(after)) {
      for (const event of events) {
        const own = isFed(event, types) && (await isOwn(event));
        if (own === undefined) return { found, place };
        if (own) found.push({ event, before: place });
        place = event.position;
        if (found.length === limit) return { found, place };
      }
      place = end;
    }
    return { found, place };
  }

  /** As many of the log's events as one page looks at, a part at a time, and how far each part goes: past events of others who use the log. */
  async *#ahead(after: bigint | undefined): AsyncGenerator<LookedThrough, void> {
    const yielder = new Yielder();
    let place = after;
    for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += READ_AT_ONCE) {
      let end = place;
      const events = await this.events.readAll({
        limit: READ_AT_ONCE,
        scan: { atMost: READ_AT_ONCE, upTo: (position) => (end = position) },
        ...(place === undefined ? {} : { after: place }),
      });
      yield { events, end };
      if (end === place) return;
      await yielder.after(READ_AT_ONCE);
      place = end;
    }
  }

  /**
   * Tells whether an event is the company's: units say it in the name of their stream, most others in their data, locations once for all;
   * undefined of a location that the views do not show yet.
   */
  ownerOf(company_id: string): (event: RecordedEvent) => Promise<boolean | undefined> | boolean {
    const ofUnits = `${UNIT_CATEGORY}-${company_id}.`;
    const locations = new Map<string, Promise<boolean | undefined>>();
    return ({ stream, data }) => {
      if (isOfUnit(stream)) return stream.startsWith(ofUnits);
      if (data['company_id'] !== undefined) return data['company_id'] === company_id;
      if (!stream.startsWith(`${LOCATION_CATEGORY}-`)) return false;
      const location_id = stream.slice(LOCATION_CATEGORY.length + 1);
      let isOwn = locations.get(location_id);
      if (isOwn === undefined) {
        isOwn = this.locations.location(location_id).then((one) => one && one.company_id === company_id);
        locations.set(location_id, isOwn);
      }
      return isOwn;
    };
  }

  /** By their streams; absent for those that the views do not show yet. */
  async #unitsOf(events: readonly RecordedEvent[]): Promise<ReadonlyMap<string, UnitDocument>> {
    const streams = [...new Set(events.map(({ stream }) => stream).filter(isOfUnit))];
    const units = await this.units.byStreams(streams);
    return new Map(units.flatMap((unit) => (unit === undefined ? [] : [[unit._id, unit]])));
  }

  async #present(
    recorded: readonly RecordedEvent[],
    units: ReadonlyMap<string, UnitDocument>,
    company_id: string,
    toOperators = false,
  ) {
    const decoded = recorded.map((event) => decodeEvent<DomainEvent>(FED, event));
    const actors = decoded.map(({ metadata }) => metadata.actor);
    const nameOf = await this.names.of(actors, company_id);
    return decoded.map((event, place) => {
      const { type, revision, metadata, data } = event;
      const { actor, occurred_at, command_id, request_id } = metadata;
      // Operators are called by the e-mail that they sign in with, which is for their like alone.
      const name = actor.kind === 'operator' && !toOperators ? null : nameOf(actor);
      return {
        id: String(recorded[place]!.position),
        type,
        occurred_at,
        subject: subjectOf(event, units.get(event.stream)),
        revision,
        actor: { ...actor, name },
        command_id,
        request_id,
        data: presentData(data as JsonObject, toTimestamp),
      };
    });
  }
}

function isOfUnit(stream: string): boolean {
  return stream.startsWith(`${UNIT_CATEGORY}-`);
}

/** Whether an event is of a type that is told, and of one that is wanted. */
export function isFed({ type }: RecordedEvent, types: ReadonlySet<string> | undefined): boolean {
  return Object.hasOwn(FED_FIELDS, type) && (types?.has(type) ?? true);
}

/** The subject of the event, by the ids of the API. */
function subjectOf({ stream }: StoredDomainEvent, unit: UnitDocument | undefined) {
  if (unit !== undefined) {
    const { unit_id, crm_unit_id, location_id } = unit;
    return { kind: 'unit', unit_id, crm_unit_id, location_id };
  }
  const [, category, id] = /^(entry-point|[a-z]+)-(.*)$/.exec(stream)!;
  const kind = category!.replace('-', '_');
  return { kind, [`${kind}_id`]: id };
}
