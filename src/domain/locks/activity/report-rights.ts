import { Injectable } from '@nestjs/common';
import type { TenantPrincipal } from '#kernel/principals.js';
import { type EntryPoint, type LockDocument, unitOfLockAt, zonesAt } from '#domain/locations/index.js';
import { KeyIssues, type TenantKeys } from '../keys/key-issues.js';
import { LockEntitlement, type TenantUnitRights } from './lock-entitlement.js';

/**
 * Decides whether a tenant may report about a lock or an entry point (decisions §5). At the reported instant, the tenant
 * must have had a valid key, or the unit.
 */
@Injectable()
export class ReportRights {
  constructor(
    private readonly keys: KeyIssues,
    private readonly entitlement: LockEntitlement,
  ) {}

  /**
   * The rights for the reports of one request, which are read at most once.
   * @param earliest no report is of an instant before this (milliseconds)
   */
  openFor(principal: TenantPrincipal, earliest: number): RequestReportRights {
    const readKeys = () => this.keys.keysOfTenant(principal.id, earliest);
    return new RequestReportRights(readKeys, this.entitlement.openUnitsOf(principal));
  }
}

/** All methods throw StoreUnavailableError. */
export class RequestReportRights {
  #keys: Promise<TenantKeys> | undefined;

  constructor(
    private readonly readKeys: () => Promise<TenantKeys>,
    private readonly units: TenantUnitRights,
  ) {}

  /** The pass that gave the tenant a key to a lock or an entry point. Null: none did. */
  async passOfKey(lock_id: string, at: number): Promise<string | null> {
    return (await this.#openKeys()).passOfKey(lock_id, at);
  }

  async mayReportLock(lock: LockDocument, at: number): Promise<boolean> {
    if (await this.#hadKey(lock.lock_id, at)) return true;
    const unit_id = unitOfLockAt(lock, at);
    return unit_id !== null && this.units.hadUnit(unit_id, at);
  }

  async mayReportEntryPoint(entry_point: EntryPoint, at: number): Promise<boolean> {
    if (await this.#hadKey(entry_point.entry_point_id, at)) return true;
    return this.units.hadUnitInZones(zonesAt(entry_point, at), at);
  }

  async #hadKey(lock_id: string, at: number): Promise<boolean> {
    return (await this.#openKeys()).hadKey(lock_id, at);
  }

  #openKeys(): Promise<TenantKeys> {
    return (this.#keys ??= this.readKeys());
  }
}
