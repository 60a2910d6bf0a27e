import { Injectable } from '@nestjs/common';
import type { PersonalDataHolder } from '#domain/tenants/index.js';
import { NoticeRecords } from './notice-records.js';
import { NoticeTenants } from './notice-tenants.js';

/** Removes the texts to a tenant. That it was told something, and when, stays. */
@Injectable()
export class NoticeErasure implements PersonalDataHolder {
  constructor(
    private readonly tenants: NoticeTenants,
    private readonly notices: NoticeRecords,
  ) {}

  async erasePersonalData(tenant_id: string): Promise<void> {
    // First: what is being recorded looks here afterwards.
    await this.tenants.changeTenant(tenant_id, ({ sending }) =>
      sending === null || sending.body === null ? undefined : { sending: { ...sending, body: null } },
    );
    await this.notices.eraseTexts(tenant_id);
  }
}
