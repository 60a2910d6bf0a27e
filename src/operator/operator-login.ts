import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { KeyedMutex } from '../writing/keyed-mutex.js';
import { unauthorized } from '../http/api-error.js';
import { hashOf } from '../http/credential-hash.js';
import { RateLimits } from '../http/rate-limits.js';
import { OperatorSessions } from './operator-sessions.js';
import { emailKey, Operators } from './operators.js';

/** Failed logins per e-mail (decisions §6). */
export const LOGIN_POLICY = { name: 'operator-login', limit: 5, windowSeconds: 60 } as const;

/** Signs operators in. */
@Injectable()
export class OperatorLogin {
  readonly #attempts = new KeyedMutex();

  constructor(
    private readonly operators: Operators,
    private readonly sessions: OperatorSessions,
    private readonly limits: RateLimits,
  ) {
    limits.define(LOGIN_POLICY);
  }

  /**
   * Opens a session. Attempts on one e-mail follow one another, so that many at once are no way around the limit.
   * The response's headers tell how many failures are left.
   * @returns the session's token and when it ends, in milliseconds.
   * @throws ApiError 401 for a wrong e-mail or password, 429 after too many of them. @throws StoreUnavailableError
   */
  login(
    email: string,
    password: string,
    response: Response,
  ): Promise<{ readonly token: string; readonly expires_at: number }> {
    const key = hashOf(emailKey(email));
    return this.#attempts.run([key], async () => {
      const before = await this.limits.peek(LOGIN_POLICY.name, key);
      this.limits.announce(LOGIN_POLICY.name, before, response);
      if (!before.allowed) throw this.limits.refusal(LOGIN_POLICY.name, before);
      const operator = await this.operators.withPassword(email, password);
      if (operator !== undefined) return this.sessions.open(operator._id);
      this.limits.announce(LOGIN_POLICY.name, await this.limits.consume(LOGIN_POLICY.name, key), response);
      throw unauthorized();
    });
  }
}
