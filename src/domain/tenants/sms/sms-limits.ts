import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import type { ApiError } from '#kernel/errors/api-error.js';
import { RateLimiter } from '#kernel/rate-limiter.js';

const DAY_SECONDS = 24 * 60 * 60;
const SERVICE = 'service';

export type SmsEnvironment = Pick<Environment, 'sms_limit_company' | 'sms_limit_service'>;

/** The names of a policy by minute and of one by day. */
type PolicyNames = readonly [ofMinute: string, ofDay: string];

interface BudgetNames {
  readonly company: PolicyNames;
  readonly service: PolicyNames;
}

/** Defines a budget of texts under these names: as many for a company and for the service as the environment says. */
export function defineSmsPolicies(
  limits: RateLimiter,
  { sms_limit_company, sms_limit_service }: SmsEnvironment,
  { company, service }: BudgetNames,
): void {
  const policies = [
    [company, sms_limit_company],
    [service, sms_limit_service],
  ] as const;
  for (const [[ofMinute, ofDay], { minute, day }] of policies) {
    limits.define({ name: ofMinute, limit: minute, windowSeconds: 60 });
    limits.define({ name: ofDay, limit: day, windowSeconds: DAY_SECONDS });
  }
}

/** A budget of text messages by minute and by day, for a company and for the service (decisions §5). */
export abstract class SmsBudget {
  constructor(
    private readonly limits: RateLimiter,
    private readonly logger: Logger,
    environment: SmsEnvironment,
    private readonly names: BudgetNames,
  ) {
    defineSmsPolicies(limits, environment, names);
  }

  /**
   * Counts a message for each of the companies and for the service.
   * @throws ApiError 429 if all of the companies, or the service, are at their limit
   */
  async take(company_ids: readonly string[]): Promise<void> {
    const companies = new Set(company_ids);
    const refusals: ApiError[] = [];
    for (const company_id of companies) {
      const refusal = await this.#refusal(this.names.company, company_id);
      if (refusal !== undefined) refusals.push(refusal);
    }
    const areAllRefused = companies.size > 0 && refusals.length === companies.size;
    const refusal = areAllRefused ? refusals[0] : await this.#refusal(this.names.service, SERVICE);
    if (refusal !== undefined) throw refusal;
  }

  /** Checks the minute first, so that a refused attempt does not count for the day. */
  async #refusal(policies: readonly string[], key: string): Promise<ApiError | undefined> {
    for (const policy of policies) {
      const state = await this.limits.consume(policy, key);
      if (state.allowed) continue;
      this.logger.warn(
        { security: 'sms_limit', policy, ...(key !== SERVICE && { company_id: key }) },
        'A text message was not sent: the limit is met.',
      );
      return this.limits.refusal(policy, state);
    }
    return undefined;
  }
}

/** The budget of codes. */
@Injectable()
export class SmsLimits extends SmsBudget {
  constructor(
    limits: RateLimiter,
    @Inject(LOGGER) logger: Logger,
    @Inject(ENVIRONMENT) environment: SmsEnvironment,
  ) {
    super(limits, logger, environment, {
      company: ['sms-company', 'sms-company-day'],
      service: ['sms-service', 'sms-service-day'],
    });
  }
}
