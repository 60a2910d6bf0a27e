import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { WebhookHttp } from '#domain/webhooks/index.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Refuses addresses at once to which no message would be sent. */
@Injectable()
export class WebhookDestinations {
  constructor(
    private readonly http: WebhookHttp,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws ApiError 422 */
  async assertAllowed(url: string): Promise<void> {
    const { protocol, hostname } = new URL(url);
    const mayBePlain = this.environment.webhook_allow_private && LOOPBACK.test(hostname);
    if (protocol !== 'https:' && !mayBePlain)
      throw invalidField('url', 'not_allowed', 'The url field must be an https URL.');
    if (await this.http.isRefused(url))
      throw invalidField(
        'url',
        'not_allowed',
        'The url field must not lead to a loopback, private or reserved address.',
      );
  }
}
