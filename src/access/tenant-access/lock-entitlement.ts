import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { TenantPrincipal } from '../../http/index.js';
import type { LockEntitlement } from '../../locks/index.js';
import { type EntryPointDocument, type LockDocument, LocationDirectory } from '../../locations/index.js';
import { TENANT_ACCESS } from './tenant-access.documents.js';

/**
 * Answers from the tenant's own document, which never forgets a unit: those that the tenant rents, shares, or had
 * before all stand in it.
 */
@Injectable()
export class TenantLockEntitlement implements LockEntitlement {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly locations: LocationDirectory,
  ) {}

  async mayReportLock(principal: TenantPrincipal, lock: LockDocument): Promise<boolean> {
    if (lock.unit_id === null || lock.company_id !== principal.company_id) return false;
    return (await this.#unitsEverHeld(principal)).includes(lock.unit_id);
  }

  async mayReportEntryPoint(principal: TenantPrincipal, entry_point: EntryPointDocument): Promise<boolean> {
    if (entry_point.company_id !== principal.company_id) return false;
    const zones = await this.locations.zonesOfUnits(await this.#unitsEverHeld(principal));
    const served = new Set(entry_point.zone_ids);
    return [...zones.values()].some((zone_ids) => zone_ids.some((zone_id) => served.has(zone_id)));
  }

  async #unitsEverHeld({ id }: TenantPrincipal): Promise<string[]> {
    const document = await (await this.views.collection(TENANT_ACCESS)).get(id);
    return document?.units.map(({ unit_id }) => unit_id) ?? [];
  }
}
