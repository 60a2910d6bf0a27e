import { Injectable } from '@nestjs/common';
import type { PersonalDataHolder } from '#domain/tenants/index.js';
import { ShareRecords } from './share-records.js';

/** Removes the names that tenants have typed: of whom was invited, and by whom. */
@Injectable()
export class SharingErasure implements PersonalDataHolder {
  constructor(private readonly shares: ShareRecords) {}

  erasePersonalData(tenant_id: string): Promise<void> {
    return this.shares.eraseNames(tenant_id);
  }
}
