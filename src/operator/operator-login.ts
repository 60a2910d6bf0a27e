import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Ids } from '../config/ids.js';
import { IDS } from '../config/injection-tokens.js';
import { KeyedMutex } from '../writing/keyed-mutex.js';
import { unauthorized } from '../http/api-error.js';
import { hashOf } from '../http/credential-hash.js';
import { RateLimits } from '../http/rate-limits.js';
import { type OpenedSession, OperatorSessions } from './operator-sessions.js';
import { emailKey, type OperatorRecord, Operators } from './operators.js';
import { Passwords } from './passwords.js';

/** Failed logins per e-mail (decisions §6). */
export const LOGIN_POLICY = { name: 'operator-login', limit: 5, windowSeconds: 60 } as const;

/** Signs operators in. */
@Injectable()
export class OperatorLogin {
  readonly #attempts = new KeyedMutex();
  #decoy: Promise<string> | undefined;

  constructor(
    @Inject(IDS) private readonly ids: Ids,
    private readonly operators: Operators,
    private readonly sessions: OperatorSessions,
    private readonly passwords: Passwords,
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
  login(email: string, password: string, response: Response): Promise<OpenedSession> {
    const key = hashOf(emailKey(email));
    return this.#attempts.run([key], async () => {
      const before = await this.limits.peek(LOGIN_POLICY.name, key);
      this.limits.announce(LOGIN_POLICY.name, before, response);
      if (!before.allowed) throw this.limits.refusal(LOGIN_POLICY.name, before);
      const operator = await this.#operatorWith(email, password);
      if (operator !== undefined) return this.sessions.open(operator);
      this.limits.announce(LOGIN_POLICY.name, await this.limits.consume(LOGIN_POLICY.name, key), response);
      throw unauthorized();
    });
  }

  /**
   * Whether this is the password of an operator who has signed in. Failures are counted, so that a session which was taken
   * away from its owner is no way to find it out. @throws ApiError 429 after too many of them.
   */
  confirms({ _id, password_hash }: OperatorRecord, password: string): Promise<boolean> {
    const key = hashOf(_id);
    return this.#attempts.run([key], async () => {
      const before = await this.limits.peek(LOGIN_POLICY.name, key);
      if (!before.allowed) throw this.limits.refusal(LOGIN_POLICY.name, before);
      if (await this.passwords.matches(password, password_hash)) return true;
      await this.limits.consume(LOGIN_POLICY.name, key);
      return false;
    });
  }

  /** An unknown e-mail costs the same work as a wrong password. */
  async #operatorWith(email: string, password: string): Promise<OperatorRecord | undefined> {
    this.#decoy ??= this.passwords.hash(this.ids.secret());
    const decoy = await this.#decoy;
    const operator = await this.operators.byEmail(email);
    const matches = await this.passwords.matches(password, operator?.password_hash ?? decoy);
    return matches && operator?.disabled === false ? operator : undefined;
  }
}
