import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '../../companies/index.js';
import { CALENDAR } from '../../config/injection-tokens.js';
import { isKnown } from '../../http/index.js';
import { KEY_ISSUER, type KeyGrant, type KeyIssuer, KeyIssues } from '../../locks/index.js';
import type { Calendar } from '../core/decision.js';
import { entityTagOf } from './entity-tag.js';
import { StandingTags } from './standing-tags.js';
import { ReadTenantAccess, type TenantAccessRead } from './read-tenant-access.query.js';
import { answerOf, changesAt, issuesIn, withKeys } from './tenant-access.answer.js';
import { TenantHoldingsReader } from './tenant-holdings.reader.js';

/** A grant of nothing: its key tells what else the issuer makes keys of, its secret above all. */
const NOTHING: KeyGrant = {
  lock_id: '',
  unit_id: null,
  tenancy_id: null,
  tenant_id: '',
  expires_at: 0,
  sandbox: false,
};

@QueryHandler(ReadTenantAccess)
export class ReadTenantAccessHandler implements IQueryHandler<ReadTenantAccess> {
  #keys: string | undefined;
  readonly #tags = new StandingTags();

  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly issues: KeyIssues,
    @Inject(KEY_ISSUER) private readonly issuer: KeyIssuer,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  async execute({ principal, known }: ReadTenantAccess): Promise<TenantAccessRead> {
    const [holdings, clock] = await Promise.all([
      this.holdings.read(principal),
      this.clocks.of(principal.company_id),
    ]);
    const { isSandbox } = clock;
    const now = clock.now();
    const standing = known === undefined ? undefined : this.#tags.of(holdings, isSandbox, now);
    if (standing !== undefined && isKnown(known, standing))
      return { entity_tag: standing, answer: undefined };
    const answer = answerOf(holdings, { now: () => now, isSandbox }, this.calendar);
    const entity_tag = entityTagOf(answer, (this.#keys ??= this.issuer.issue(NOTHING)));
    // The same keys may come from other units than those that they were given out for.
    await this.issues.record(issuesIn(answer, holdings), now);
    const until = changesAt(answer, holdings, now, this.calendar);
    this.#tags.keep(holdings, isSandbox, { entity_tag, from: now, until });
    if (isKnown(known, entity_tag)) return { entity_tag, answer: undefined };
    return { entity_tag, answer: withKeys(answer, this.issuer) };
  }
}
