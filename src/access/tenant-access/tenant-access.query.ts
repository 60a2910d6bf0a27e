import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../config/clock.js';
import { CALENDAR, CLOCK } from '../../config/injection-tokens.js';
import type { TenantPrincipal } from '../../http/index.js';
import { KEY_ISSUER, type KeyIssuer, KeyIssues } from '../../locks/index.js';
import type { Calendar } from '../core/decision.js';
import { KeyRing } from './key-ring.js';
import { answerOf, type TenantAccess } from './tenant-access.answer.js';
import { TenantHoldingsReader } from './tenant-holdings.reader.js';

/** What a tenant may open at this instant, with the keys to it (specification §4.2, decisions §5). */
@Injectable()
export class TenantAccessQuery {
  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly issues: KeyIssues,
    @Inject(KEY_ISSUER) private readonly issuer: KeyIssuer,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * The issue of every key in the answer is recorded when the promise resolves.
   * @throws StoreUnavailableError; no key leaves then.
   */
  async read(principal: TenantPrincipal): Promise<TenantAccess> {
    const holdings = await this.holdings.read(principal);
    const now = this.clock.now();
    const ring = new KeyRing(this.issuer, this.calendar, { tenant_id: principal.id, now });
    const answer = answerOf(holdings, now, this.calendar, ring);
    await this.issues.record(ring.issues);
    return answer;
  }
}
