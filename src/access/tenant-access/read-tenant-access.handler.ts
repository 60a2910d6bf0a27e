import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Clock } from '../../config/clock.js';
import { CALENDAR, CLOCK } from '../../config/injection-tokens.js';
import { KEY_ISSUER, type KeyGrant, type KeyIssuer, KeyIssues } from '../../locks/index.js';
import type { Calendar } from '../core/decision.js';
import { entityTagOf, isKnown } from './entity-tag.js';
import { ReadTenantAccess, type TenantAccessRead } from './read-tenant-access.query.js';
import { answerOf, issuesIn, withKeys } from './tenant-access.answer.js';
import { TenantHoldingsReader } from './tenant-holdings.reader.js';

/** A grant of nothing: its key tells what else the issuer makes keys of, its secret above all. */
const NOTHING: KeyGrant = { lock_id: '', unit_id: null, tenancy_id: null, tenant_id: '', expires_at: 0 };

@QueryHandler(ReadTenantAccess)
export class ReadTenantAccessHandler implements IQueryHandler<ReadTenantAccess> {
  #keys: string | undefined;

  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly issues: KeyIssues,
    @Inject(KEY_ISSUER) private readonly issuer: KeyIssuer,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  async execute({ principal, known }: ReadTenantAccess): Promise<TenantAccessRead> {
    const holdings = await this.holdings.read(principal);
    const answer = answerOf(holdings, this.clock.now(), this.calendar);
    const entity_tag = entityTagOf(answer, (this.#keys ??= this.issuer.issue(NOTHING)));
    if (isKnown(known, entity_tag)) return { entity_tag, answer: undefined };
    await this.issues.record(issuesIn(answer, holdings));
    return { entity_tag, answer: withKeys(answer, this.issuer) };
  }
}
