import { Injectable } from '@nestjs/common';
import type { LookedAtUnit, LookListener } from '#domain/announcements/index.js';
import { isAnyOn } from './core/known-unit.js';
import { type MarkedTenant, NoticeTenants } from './notice-tenants.js';

/** Marks the tenants of units that the announcer has looked at, where a location sends texts. */
@Injectable()
export class NoticeMarks implements LookListener {
  constructor(private readonly tenants: NoticeTenants) {}

  async unitsLookedAt(looked: readonly LookedAtUnit[]): Promise<void> {
    const marked = new Map<string, MarkedTenant>();
    for (const { unit, location } of looked) {
      if (unit.tenancy === null || !isAnyOn({ since: location.notices_since })) continue;
      const { company_id, location_id } = unit;
      const _id = unit.tenancy.tenant_id;
      marked.set(_id, { _id, company_id, location_id });
    }
    await this.tenants.markTenants([...marked.values()]);
  }
}
