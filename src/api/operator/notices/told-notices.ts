import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import {
  NOTICE_KINDS,
  NoticeRecords,
  type NoticeRecord,
  NoticeReplay,
  previewTexts,
} from '#domain/notices/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import type { DocumentPage } from '#eventsourcing/documents/document-store.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { Deadline } from '#kernel/yielder.js';
import { type PageQuery, USUAL_PAGE } from '#web/validation/page-query.js';

const DAY_MS = 24 * 60 * 60_000;
const PREVIEW_DAYS = 14;

export type NoticeAnswer = ReturnType<typeof presentNotice>;

/** The texts to tenants (decisions §11). Every method throws ApiError 404. */
@Injectable()
export class ToldNotices {
  constructor(
    private readonly notices: NoticeRecords,
    private readonly replay: NoticeReplay,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly tenants: TenantAccounts,
    private readonly clocks: CompanyClocks,
  ) {}

  async listOfUnit(unit_id: string, { limit = USUAL_PAGE, cursor }: PageQuery) {
    const unit = isPossibleId(unit_id) ? await this.units.byUnitId(unit_id) : undefined;
    if (unit === undefined) throw errorOf('unit_not_found');
    return presentPage(await this.notices.listOfUnit(unit_id, limit, cursor));
  }

  async listOfTenant(tenant_id: string, { limit = USUAL_PAGE, cursor }: PageQuery) {
    const [account] = isPossibleId(tenant_id) ? await this.tenants.byTenantId([tenant_id]) : [];
    if (account === undefined) throw errorOf('tenant_not_found');
    return presentPage(await this.notices.listOfTenant(tenant_id, limit, cursor));
  }

  /** Each text of a location, and how many tenants would have got it. @throws GivenUpError after the deadline */
  async previewTexts(location_id: string, deadline?: Deadline) {
    const location = await this.locations.location(location_id);
    if (location === undefined) throw errorOf('location_not_found');
    const texts = previewTexts(location, await this.clocks.now(location.company_id));
    const tenants = await this.replay.countTenants(location, PREVIEW_DAYS * DAY_MS, deadline);
    return {
      notices: location.notices,
      days: PREVIEW_DAYS,
      texts: NOTICE_KINDS.map((kind) => ({ kind, text: texts[kind], tenants: tenants[kind] })),
    };
  }
}

function presentPage({ documents, next_cursor }: DocumentPage<NoticeRecord>) {
  return { notices: documents.map(presentNotice), next_cursor };
}

function presentNotice({
  _id: notice_id,
  kind,
  at,
  outcome,
  body,
  tenant_id,
  location_id,
  unit_ids,
}: NoticeRecord) {
  return { notice_id, kind, at: toTimestamp(at), outcome, text: body, tenant_id, location_id, unit_ids };
}
