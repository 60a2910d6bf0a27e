import { Inject, Injectable } from '@nestjs/common';
import { SmsBudget, type SmsEnvironment } from '#domain/tenants/index.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { RateLimiter } from '#kernel/rate-limiter.js';

export type Budget =
  | { readonly kind: 'taken' }
  /** `wait`: milliseconds until there is some again. */
  | { readonly kind: 'full'; readonly wait: number };

/** The budget of texts. It is as large as that of codes, and apart from it: no text keeps a tenant from signing in. */
@Injectable()
export class NoticeBudget {
  readonly #budget: SmsBudget;

  constructor(limits: RateLimiter, @Inject(ENVIRONMENT) environment: SmsEnvironment) {
    this.#budget = new SmsBudget(limits, environment, {
      company: ['sms-notices-company', 'sms-notices-company-day'],
      service: ['sms-notices-service', 'sms-notices-service-day'],
    });
  }

  /** Counts one text. @throws StoreUnavailableError */
  async take(company_id: string): Promise<Budget> {
    const counted = await this.#budget.count([company_id]);
    if (counted.kind === 'taken') return counted;
    return { kind: 'full', wait: Math.max(1, counted.by.state.resetSeconds) * 1_000 };
  }
}
