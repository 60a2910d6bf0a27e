import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { PullHttp } from './fetching/pull-http.js';

/** The address of a source, and whether a credential is sent there. */
export interface PullDestination {
  readonly url: string;
  readonly has_auth_header: boolean;
}

/** Refuses addresses at once that every run would refuse. */
@Injectable()
export class PullDestinations {
  constructor(
    private readonly http: PullHttp,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws ApiError 422 */
  async demand({ url, has_auth_header }: PullDestination): Promise<void> {
    if ((await this.http.refusalOf(url)) !== undefined) {
      throw invalidField(
        'url',
        'not_allowed',
        'The url field must not lead to a loopback, private or reserved address.',
      );
    }
    const isPlain = new URL(url).protocol === 'http:';
    if (has_auth_header && isPlain && !this.environment.pull_allow_private) {
      throw invalidField(
        'url',
        'not_allowed',
        'The url field must be an https URL where an auth header is sent.',
      );
    }
  }
}
