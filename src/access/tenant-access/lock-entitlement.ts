import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE, VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { TenantPrincipal } from '../../http/authentication.js';
import type { EventStore } from '../../log/event-store.js';
import type { LockEntitlement } from '../../locks/index.js';
import { LocationDirectory, zonesAt } from '../../locations/index.js';
import { UNIT, UnitDirectory, type UnitEvent } from '../../units/index.js';
import { foldOnto, readFrom } from '../../writing/stored-stream.js';
import { TENANT_ACCESS } from './tenant-access.documents.js';

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

  async hadUnit(principal: TenantPrincipal, unit_id: string, at: number): Promise<boolean> {
    const stream = (await this.#everHeld(principal)).get(unit_id);
    return stream !== undefined && this.#had(principal.id, stream, at);
  }

  async hadUnitInZones(
    principal: TenantPrincipal,
    zone_ids: readonly string[],
    at: number,
  ): Promise<boolean> {
    const held = await this.#everHeld(principal);
    const zonesAndLocks = await this.locations.zonesAndLocks([...held.keys()]);
    const served = [...held].filter((_, index) => {
      const unit = zonesAndLocks[index];
      return unit !== undefined && zonesAt(unit, at).some((zone_id) => zone_ids.includes(zone_id));
    });
    const answers = await Promise.all(served.map(([, stream]) => this.#had(principal.id, stream, at)));
    return answers.includes(true);
  }

  /** The streams of all units that the tenant ever had, by unit id. */
  async #everHeld({ id }: TenantPrincipal): Promise<Map<string, string>> {
    const document = await (await this.views.collection(TENANT_ACCESS)).get(id);
    return new Map(document?.units.map(({ unit_id, stream }) => [unit_id, stream]));
  }

  async #had(tenant_id: string, stream: string, at: number): Promise<boolean> {
    if (await this.#rentsSince(tenant_id, stream, at)) return true;
    const events = await readFrom<UnitEvent>(this.events, UNIT, stream, 0);
    const before = events.filter(({ metadata }) => Date.parse(metadata.occurred_at) <= at);
    const unit = foldOnto(UNIT, undefined, before)?.state;
    return unit?.tenancy?.tenant_id === tenant_id || unit?.shares.includes(tenant_id) === true;
  }

  /** Whether the tenant has rented the unit from `at` until now. A shortcut for most reports: it reads one event. */
  async #rentsSince(tenant_id: string, stream: string, at: number): Promise<boolean> {
    const [unit] = await this.units.byStreams([stream]);
    const from = unit?.set_at.pms_tenant_id;
    if (unit?.tenancy?.tenant_id !== tenant_id || from === undefined) return false;
    const [movedIn] = await this.events.readStream(stream, { from, limit: 1 });
    return movedIn !== undefined && Date.parse(movedIn.metadata['occurred_at'] as string) <= at;
  }
}
