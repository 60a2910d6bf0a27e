import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RateLimiter } from '#kernel/rate-limiter.js';
import { SmsBudget, type SmsEnvironment } from './sms-budget.js';

/** A budget whose limits refuse a request and are told in the log. */
export abstract class RefusingSmsBudget {
  constructor(
    private readonly limits: RateLimiter,
    private readonly logger: Logger,
    private readonly budget: SmsBudget,
  ) {}

  /**
   * Counts a message for each of the companies and for the service.
   * @throws ApiError 429 if all of the companies, or the service, are at their limit
   */
  async take(company_ids: readonly string[]): Promise<void> {
    const counted = await this.budget.count(company_ids);
    for (const { policy, company_id } of counted.met)
      this.logger.warn(
        { security: 'sms_limit', policy, ...(company_id !== null && { company_id }) },
        'A text message was not sent: the limit is met.',
      );
    if (counted.kind === 'refused') throw this.limits.refusal(counted.by.policy, counted.by.state);
  }
}

/** The budget of codes. */
@Injectable()
export class SmsLimits extends RefusingSmsBudget {
  constructor(
    limits: RateLimiter,
    @Inject(LOGGER) logger: Logger,
    @Inject(ENVIRONMENT) environment: SmsEnvironment,
  ) {
    const names = {
      company: ['sms-company', 'sms-company-day'],
      service: ['sms-service', 'sms-service-day'],
    } as const;
    super(limits, logger, new SmsBudget(limits, environment, names));
  }
}
