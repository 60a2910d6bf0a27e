import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { ClientAddresses } from '#web/client-address.js';
import { cookieOf, setCookie } from '#web/cookies.js';
import { contextOf } from '#web/request-context.js';
import type { Browser } from '#domain/operators/index.js';

const DEVICE_COOKIE = 'operator_device';

/** What a request tells the sign-in of its browser. The browser is known again by a cookie. */
@Injectable()
export class HttpBrowsers {
  constructor(
    private readonly addresses: ClientAddresses,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'production'>,
  ) {}

  browserOf(request: Request): Browser {
    const context = contextOf(request)!;
    const { production } = this.environment;
    return {
      network: this.addresses.networkOf(request),
      context,
      headers: context.headers,
      device: cookieOf(request, DEVICE_COOKIE),
      keepDevice: (value, seconds) =>
        setCookie(request, context.headers, { name: DEVICE_COOKIE, value, seconds, production }),
    };
  }
}
