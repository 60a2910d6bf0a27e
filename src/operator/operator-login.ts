import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { SecretBox } from '../config/secret-box.js';
import { contextOf } from '../http/request-context.js';
import { KeyedMutex } from '../base/keyed-mutex.js';
import { invalidField, unauthorized } from '../http/api-error.js';
import type { Counter } from '../http/pipeline/rate-limits.js';
import { SignInLimits } from './sign-in-limits.js';
import { OperatorDevices } from './operator-devices.js';
import { type OpenedSession, OperatorSessions } from './operator-sessions.js';
import { type OperatorRecord, Operators } from './operators.js';
import type { LoginBody } from './operators.dto.js';
import { Passwords } from './passwords.js';
import { SecondFactors } from './second-factors.js';

const TICKET_LIFETIME = 5 * 60 * 1000;
const TICKET_OWNER = 'sign-in';

/** Says that this operator's password was right. The code must follow before `expires_at` (milliseconds). */
interface Ticket {
  readonly operator_id: string;
  readonly rights_version: number;
  readonly expires_at: number;
}

/** The password was right. The code of the second factor must follow with this encrypted ticket. */
export interface CodeDue {
  readonly ticket: string;
}

export interface Browser {
  readonly request: Request;
  readonly response: Response;
}

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
    private readonly factors: SecondFactors,
    private readonly box: SecretBox,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Opens a session, or returns a ticket if the code of the second factor is missing. Attempts with the same counters run one
   * after the other, so that parallel attempts cannot pass a limit. The response's headers say how many failures are left. A
   * new browser gets its device cookie.
   * @throws ApiError 401 for a wrong e-mail, password or code, 429 after too many of them. @throws StoreUnavailableError
   */
  async login({ email, password, code }: LoginBody, browser: Browser): Promise<OpenedSession | CodeDue> {
    const { request, response } = browser;
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
      if (operator.second_factor !== null && code === undefined) return { ticket: this.#ticketOf(operator) };
      return this.#open(operator, code, browser);
    });
  }

  /** Opens a session for a ticket. @throws ApiError 401 for an expired ticket, a wrong code or a used one; 429 */
  async finish(ticket: string, code: string, browser: Browser): Promise<OpenedSession> {
    const { operator_id, rights_version, expires_at } = this.#opened(ticket);
    const operator = await this.operators.byId(operator_id);
    const isValid = operator?.rights_version === rights_version && expires_at > this.clock.now();
    if (!isValid || operator.disabled) throw unauthorized();
    return this.#open(operator, code, browser);
  }

  async #open(operator: OperatorRecord, code: string | undefined, browser: Browser): Promise<OpenedSession> {
    const { request, response } = browser;
    const device = await this.devices.of(request);
    const isKnown = device?.operator_id === operator._id;
    const actor = { kind: 'operator', id: operator._id } as const;
    const context = { ...contextOf(request)!, actor };
    const passed = await this.factors.pass(operator, code, isKnown ? device._id : operator._id, context);
    if (!isKnown) await this.devices.remember(operator._id, request, response);
    return this.sessions.open(passed);
  }

  #ticketOf({ _id: operator_id, rights_version }: OperatorRecord): string {
    const ticket: Ticket = { operator_id, rights_version, expires_at: this.clock.now() + TICKET_LIFETIME };
    return this.box.seal(JSON.stringify(ticket), TICKET_OWNER);
  }

  #opened(ticket: string): Ticket {
    const opened = this.box.open(ticket, TICKET_OWNER);
    if (opened === undefined) throw unauthorized();
    return JSON.parse(opened) as Ticket;
  }

  /**
   * Demands the current password of an operator who has signed in. Failures are counted, so that somebody with a stolen
   * session cannot guess it. @throws ApiError 422 for another password, 429 after too many of them
   */
  demandPassword({ _id, password_hash }: OperatorRecord, current: string): Promise<void> {
    const counters = this.limits.ofOne(_id);
    return this.#oneByOne(counters, async () => {
      await this.limits.demand(counters);
      if (await this.passwords.matches(current, password_hash)) return;
      await this.limits.failed(counters);
      throw invalidField('current', 'incorrect', 'The current field is incorrect.');
    });
  }

  #oneByOne<T>(counters: readonly Counter[], work: () => Promise<T>): Promise<T> {
    return this.#attempts.run(
      counters.map(([policy, key]) => `${policy} ${key}`),
      work,
    );
  }
}
