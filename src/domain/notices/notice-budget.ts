import { Inject, Injectable } from '@nestjs/common';
import { defineSmsPolicies, type SmsEnvironment } from '#domain/tenants/index.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { RateLimiter } from '#kernel/rate-limiter.js';

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
    @Inject(ENVIRONMENT) environment: SmsEnvironment,
  ) {
    defineSmsPolicies(limits, environment, { company: OF_COMPANY, service: OF_SERVICE });
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
