import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { KeyedMutex } from '../writing/keyed-mutex.js';
import { unauthorized } from '../http/api-error.js';
import type { Counter } from '../http/rate-limits.js';
import { SignInLimits } from './sign-in-limits.js';
import { OperatorDevices } from './operator-devices.js';
import { type OpenedSession, OperatorSessions } from './operator-sessions.js';
import { type OperatorRecord, Operators } from './operators.js';
import { Passwords } from './passwords.js';

/** Signs operators in. */
@Injectable()
export class OperatorLogin {
  readonly #attempts = new KeyedMutex();

  constructor(
    private readonly operators: Operators,
    private readonly sessions: OperatorSessions,
    private readonly devices: OperatorDevices,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * Opens a session. Attempts that count together follow one another, so that many at once are no way around a limit. The
   * response's headers tell how many failures are left, and a browser is given what it is known by the next time.
   * @returns the session's token and when it ends, in milliseconds.
   * @throws ApiError 401 for a wrong e-mail or password, 429 after too many of them. @throws StoreUnavailableError
   */
  async login(email: string, password: string, request: Request, response: Response): Promise<OpenedSession> {
    const device = await this.devices.of(request);
    const known = (await this.operators.byEmail(email))?._id;
    const isKnown = device !== undefined && device.operator_id === known;
    const counters = isKnown ? this.limits.ofOne(device._id) : this.limits.ofStranger(email, request);
    return this.#oneByOne(counters, async () => {
      await this.limits.demand(counters, response);
      const operator = await this.operators.byEmail(email);
      // An unknown e-mail costs the same work as a wrong password.
      const matches = await this.passwords.matches(password, operator?.password_hash, isKnown);
      if (!matches || operator?.disabled !== false) {
        await this.limits.failed(counters, response);
        throw unauthorized();
      }
      if (!isKnown) await this.devices.remember(operator._id, response);
      return this.sessions.open(operator);
    });
  }

  /**
   * Whether this is the password of an operator who has signed in. Failures are counted, so that a session which was taken
   * away from its owner is no way to find it out. @throws ApiError 429 after too many of them.
   */
  confirms({ _id, password_hash }: OperatorRecord, password: string): Promise<boolean> {
    const counters = this.limits.ofOne(_id);
    return this.#oneByOne(counters, async () => {
      await this.limits.demand(counters);
      if (await this.passwords.matches(password, password_hash)) return true;
      await this.limits.failed(counters);
      return false;
    });
  }

  #oneByOne<T>(counters: readonly Counter[], work: () => Promise<T>): Promise<T> {
    return this.#attempts.run(
      counters.map(([policy, key]) => `${policy} ${key}`),
      work,
    );
  }
}
