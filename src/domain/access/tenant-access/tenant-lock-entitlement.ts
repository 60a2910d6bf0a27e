import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { Yielder } from '#kernel/yielder.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { LockEntitlement, TenantUnitRights } from '#domain/locks/index.js';
import { LocationDirectory, sharesZone, zonesAt } from '#domain/locations/index.js';
import {
  hasUnit,
  shareOf,
  UNIT,
  UnitDirectory,
  type UnitEvent,
  type UnitState,
} from '#domain/units/index.js';
import { decodeEvent } from '#eventsourcing/log/codec.js';
import { wholeAppends } from '#eventsourcing/log/whole-appends.js';
import { foldOnto } from '#eventsourcing/writing/stored-stream.js';
import type { Snapshot } from '#eventsourcing/writing/aggregate.js';
import { TENANT_ACCESS } from './tenant-access.documents.js';

const EVENTS_OF_PAGE = 500;

interface Ports {
  readonly views: DocumentStore;
  readonly events: EventStore;
  readonly locations: LocationDirectory;
  readonly units: UnitDirectory;
}

/**
 * Answers whether a tenant had a unit at an instant. The tenant's document lists all units that the tenant rents, shares
 * or had before. The unit's stream shows when the tenant had it.
 */
@Injectable()
export class TenantLockEntitlement implements LockEntitlement {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
  ) {}

  openUnitsOf({ id }: TenantPrincipal): TenantUnitRights {
    const { views, events, locations, units } = this;
    return new OpenUnits(id, { views, events, locations, units });
  }
}

/** From this instant (milliseconds) on, until the next change, the tenant had the unit or did not. */
interface Change {
  readonly from: number;
  readonly had: boolean;
}

/** Reads each document and each stream at most once. */
class OpenUnits implements TenantUnitRights {
  readonly #yielder = new Yielder();
  readonly #rentedSince = new Map<string, Promise<number | undefined>>();
  readonly #changes = new Map<string, Promise<readonly Change[]>>();
  #held: Promise<ReadonlyMap<string, string>> | undefined;
  #zonesAndLocks: ReturnType<LocationDirectory['zonesAndLocks']> | undefined;

  constructor(
    private readonly tenant_id: string,
    private readonly ports: Ports,
  ) {}

  async hadUnit(unit_id: string, at: number): Promise<boolean> {
    const stream = (await this.#everHeld()).get(unit_id);
    return stream !== undefined && this.#had(stream, at);
  }

  async hadUnitInZones(zone_ids: readonly string[], at: number): Promise<boolean> {
    const held = await this.#everHeld();
    this.#zonesAndLocks ??= this.ports.locations.zonesAndLocks([...held.keys()]);
    const zonesAndLocks = await this.#zonesAndLocks;
    for (const [index, stream] of [...held.values()].entries()) {
      const unit = zonesAndLocks[index];
      const isServed = unit !== undefined && sharesZone(zonesAt(unit, at), zone_ids);
      if (isServed && (await this.#had(stream, at))) return true;
    }
    return false;
  }

  /** The streams of all units that the tenant ever had, by unit id. */
  #everHeld(): Promise<ReadonlyMap<string, string>> {
    this.#held ??= this.#readHeld();
    return this.#held;
  }

  async #readHeld(): Promise<ReadonlyMap<string, string>> {
    const document = await (await this.ports.views.collection(TENANT_ACCESS)).get(this.tenant_id);
    return new Map(document?.units.map(({ unit_id, stream }) => [unit_id, stream]));
  }

  async #had(stream: string, at: number): Promise<boolean> {
    const since = await once(this.#rentedSince, stream, () => this.#readRentedSince(stream));
    if (since !== undefined && since <= at) return true;
    const changes = await once(this.#changes, stream, () => this.#readChanges(stream));
    return changes.findLast(({ from }) => from <= at)?.had ?? false;
  }

  /** Since when the tenant has rented the unit. A shortcut for most reports: it reads one event. */
  async #readRentedSince(stream: string): Promise<number | undefined> {
    const [unit] = await this.ports.units.byStreams([stream]);
    const from = unit?.set_at.pms_tenant_id;
    if (unit?.tenancy?.tenant_id !== this.tenant_id || from === undefined) return undefined;
    const [movedIn] = await this.ports.events.readStream(stream, { from, limit: 1 });
    return movedIn && Date.parse(movedIn.metadata['occurred_at'] as string);
  }

  async #readChanges(stream: string): Promise<readonly Change[]> {
    const changes: Change[] = [];
    let unit: Snapshot<UnitState> | undefined;
    for (const recorded of await this.#readEvents(stream)) {
      const event = decodeEvent<UnitEvent>(UNIT.types, recorded);
      const from = Date.parse(event.metadata.occurred_at);
      changes.push(...this.#endedBy(unit?.state, from));
      unit = foldOnto(UNIT, unit, [event]);
      changes.push({ from, had: unit !== undefined && hasUnit(unit.state, this.tenant_id, from) });
      await this.#yielder.after(1);
    }
    return [...changes, ...this.#endedBy(unit?.state, Infinity)];
  }

  async #readEvents(stream: string): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const page = await this.ports.events.readStream(stream, { from: events.length, limit: EVENTS_OF_PAGE });
      events.push(...page);
      if (page.length < EVENTS_OF_PAGE) return wholeAppends(events);
      await this.#yielder.after(page.length);
    }
  }

  /** The end of the tenant's share by itself, if it comes before an instant. */
  #endedBy(unit: UnitState | undefined, before: number): Change[] {
    const until = unit === undefined ? null : (shareOf(unit.shares, this.tenant_id)?.until ?? null);
    return until === null || until >= before ? [] : [{ from: until, had: false }];
  }
}

function once<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
