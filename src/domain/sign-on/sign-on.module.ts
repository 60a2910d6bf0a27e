import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { CLOCK, ENVIRONMENT } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import { OPERATOR_SECRETS_KEY, OperatorsModule } from '#domain/operators/index.js';
import { IdentityProvider, NoIdentityProvider } from './identity-provider.js';
import { SignOn } from './sign-on.js';
import { SignOnFlows } from './sign-on-flows.js';
import { SignOnLinks } from './sign-on-links.js';
import { SignOnTokens } from './sign-on-tokens.js';

/** Loads the client of providers only if one is set. */
async function connect({ sign_on }: Environment, clock: Clock): Promise<IdentityProvider> {
  if (sign_on === undefined) return new NoIdentityProvider();
  const { OpenIdProvider } = await import('./openid-provider.js');
  return new OpenIdProvider(sign_on, clock);
}

/**
 * Single sign-on of operators. Global modules must provide CLOCK, IDS, RECORDS, ENVIRONMENT, OPERATOR_SECRETS_KEY and
 * RateLimiter, and the needs of the imported module.
 */
@Module({
  imports: [OperatorsModule],
  providers: [
    SignOn,
    SignOnFlows,
    SignOnLinks,
    SignOnTokens,
    { provide: IdentityProvider, useFactory: connect, inject: [ENVIRONMENT, CLOCK] },
    { provide: SecretBox, useFactory: (key: Buffer) => new SecretBox(key), inject: [OPERATOR_SECRETS_KEY] },
  ],
  exports: [SignOn, SignOnLinks],
})
export class SignOnModule implements OnApplicationShutdown {
  constructor(private readonly provider: IdentityProvider) {}

  async onApplicationShutdown(): Promise<void> {
    await this.provider.close();
  }
}
