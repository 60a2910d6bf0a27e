import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { RateLimiter } from '#kernel/rate-limiter.js';

const DAY_SECONDS = 24 * 60 * 60;
const OF_COMPANY = ['sms-notices-company', 'sms-notices-company-day'] as const;
const OF_SERVICE = ['sms-notices-service', 'sms-notices-service-day'] as const;
const SERVICE = 'service';

export type Budget =
  | { readonly kind: 'taken' }
  /** `wait`: milliseconds until there is some again. */
  | { readonly kind: 'full'; readonly wait: number };

/**
 * The budget of texts, by minute and by day, for a company and for the service. As large as that of codes, and apart from it:
 * no text keeps a tenant from signing in.
 */
@Injectable()
export class NoticeBudget {
  constructor(
    private readonly limits: RateLimiter,
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'sms_limit_company' | 'sms_limit_service'>,
  ) {
    const { sms_limit_company: company, sms_limit_service: service } = environment;
    const policies = [
      [OF_COMPANY, company],
      [OF_SERVICE, service],
    ] as const;
    for (const [[ofMinute, ofDay], { minute, day }] of policies) {
      limits.define({ name: ofMinute, limit: minute, windowSeconds: 60 });
      limits.define({ name: ofDay, limit: day, windowSeconds: DAY_SECONDS });
    }
  }

  /** Counts one text. @throws StoreUnavailableError */
  async take(company_id: string): Promise<Budget> {
    const ofCompany = await this.#take(OF_COMPANY, company_id);
    return ofCompany.kind === 'full' ? ofCompany : this.#take(OF_SERVICE, SERVICE);
  }

  /** Checks the minute first, so that a refused text does not count for the day. */
  async #take(policies: readonly string[], key: string): Promise<Budget> {
    for (const policy of policies) {
      const { allowed, resetSeconds } = await this.limits.consume(policy, key);
      if (!allowed) return { kind: 'full', wait: Math.max(1, resetSeconds) * 1_000 };
    }
    return { kind: 'taken' };
  }
}
