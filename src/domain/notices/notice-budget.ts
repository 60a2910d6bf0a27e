import { Inject, Injectable } from '@nestjs/common';
import { defineSmsPolicies, type SmsEnvironment } from '#domain/tenants/index.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { RateLimiter } from '#kernel/rate-limiter.js';

const COMPANY_MINUTE = 'sms-notices-company';
const COMPANY_DAY = 'sms-notices-company-day';
const SERVICE_MINUTE = 'sms-notices-service';
const SERVICE_DAY = 'sms-notices-service-day';
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
    defineSmsPolicies(limits, environment, {
      company: [COMPANY_MINUTE, COMPANY_DAY],
      service: [SERVICE_MINUTE, SERVICE_DAY],
    });
  }

  /**
   * Counts one text. Both minutes come first: a text that waits for the next minute must not count for the day.
   * @throws StoreUnavailableError
   */
  async take(company_id: string): Promise<Budget> {
    const limits = [
      [COMPANY_MINUTE, company_id],
      [SERVICE_MINUTE, SERVICE],
      [COMPANY_DAY, company_id],
      [SERVICE_DAY, SERVICE],
    ] as const;
    for (const [policy, key] of limits) {
      const { allowed, resetSeconds } = await this.limits.consume(policy, key);
      if (!allowed) return { kind: 'full', wait: Math.max(1, resetSeconds) * 1_000 };
    }
    return { kind: 'taken' };
  }
}
