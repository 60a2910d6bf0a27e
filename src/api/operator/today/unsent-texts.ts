import { Injectable } from '@nestjs/common';
import type { LocationDocument } from '#domain/locations/index.js';
import { type NoticeRecord, NoticeRecords } from '#domain/notices/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { inBatches } from '#kernel/in-batches.js';
import { toTimestamp } from '#kernel/timestamp.js';

/** Texts that are counted for one location. */
const MOST_COUNTED = 200;

/** The texts to tenants that did not go out for sure. Throws StoreUnavailableError. */
@Injectable()
export class UnsentTexts {
  constructor(
    private readonly notices: NoticeRecords,
    private readonly tenants: TenantAccounts,
  ) {}

  /** @param since milliseconds @param listed most that are named, the newest first */
  async listUnsent(locations: readonly Pick<LocationDocument, '_id'>[], since: number, listed: number) {
    const found = await inBatches(locations, ({ _id }) =>
      this.notices.listTroubles(_id, since, MOST_COUNTED),
    );
    const all = found.flat().sort((one, other) => other.at - one.at);
    const first = all.slice(0, listed);
    const accounts = await this.tenants.byTenantId(first.map(({ tenant_id }) => tenant_id));
    return {
      texts: all.length,
      first: first.map((one, index) => presentUnsent(one, accounts[index]?.name ?? null)),
    };
  }
}

function presentUnsent(
  { _id: notice_id, kind, at, outcome, tenant_id, location_id }: NoticeRecord,
  tenant_name: string | null,
) {
  return { notice_id, kind, at: toTimestamp(at), outcome, tenant_id, tenant_name, location_id };
}
