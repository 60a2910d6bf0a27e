import { Inject, Injectable } from '@nestjs/common';
import { RefusingSmsBudget, SmsBudget, type SmsEnvironment } from '#domain/tenants/index.js';
import { ENVIRONMENT, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RateLimiter } from '#kernel/rate-limiter.js';

/** The budget of texts about invitations. It is as large as that of codes, and apart from it: nobody is kept from signing in. */
@Injectable()
export class InvitationTextLimits extends RefusingSmsBudget {
  constructor(
    limits: RateLimiter,
    @Inject(LOGGER) logger: Logger,
    @Inject(ENVIRONMENT) environment: SmsEnvironment,
  ) {
    const names = {
      company: ['sms-invitations-company', 'sms-invitations-company-day'],
      service: ['sms-invitations-service', 'sms-invitations-service-day'],
    } as const;
    super(limits, logger, new SmsBudget(limits, environment, names));
  }
}
