import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import { KeyedMutex } from '#kernel/keyed-mutex.js';
import { invalidField, unauthorized } from '#kernel/errors/api-error.js';
import type { Counter } from '#kernel/rate-limiter.js';
import type { Browser } from './browser.js';
import { SignInLimits } from './sign-in-limits.js';
import { OperatorDevices } from './operator-devices.js';
import { type OpenedSession, OperatorSessions } from './operator-sessions.js';
import { type OperatorRecord, Operators } from './operators.js';
import { Passwords } from './passwords.js';
import { SecondFactors } from './second-factors.js';

const TICKET_LIFETIME_MS = 5 * 60 * 1000;
const TICKET_OWNER = 'sign-in';

/** Says that this operator's password was right. The code must follow before `expires_at` (milliseconds). */
interface Ticket {
  readonly operator_id: string;
  readonly rights_version: number;
  readonly expires_at: number;
}

/** What a right password leads to. */
export type SignIn =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  /** The code of the second factor must follow, with this encrypted ticket. */
  | { readonly kind: 'code_due'; readonly ticket: string };

/** What an operator types to sign in. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the second factor, or a recovery code. */
  readonly code?: string;
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
   * new browser is remembered.
   * @throws ApiError 401 for a wrong e-mail, password or code, 429 after too many of them. @throws StoreUnavailableError
   */
  async login({ email, password, code }: Credentials, browser: Browser): Promise<SignIn> {
    const device = await this.devices.findDevice(browser);
    const known = (await this.operators.byEmail(email))?._id;
    const isKnown = device !== undefined && device.operator_id === known;
    const counters = isKnown
      ? this.limits.countersOfOne(device._id)
      : this.limits.countersOfStranger(email, browser.network);
    // All known browsers of an operator take one hash at a time: others must not wait for one person.
    const own = known === undefined || !isKnown ? [] : [this.limits.counterOfSignIns(known)];
    return this.#oneByOne([...counters, ...own], async () => {
      await this.limits.demand([...counters, ...own], browser.headers);
      const operator = await this.operators.byEmail(email);
      // An unknown e-mail costs the same work as a wrong password.
      const matches = await this.passwords.matches(password, operator?.password_hash, isKnown);
      if (!matches || operator?.disabled !== false) {
        await this.limits.countFailure(counters, browser.headers);
        throw unauthorized();
      }
      await this.#countSignIn(operator._id);
      if (operator.second_factor !== null && code === undefined)
        return { kind: 'code_due', ticket: this.#ticketOf(operator) };
      return { kind: 'opened', session: await this.#open(operator, code, browser) };
    });
  }

  /** @throws ApiError 429 after too many right passwords: each of them has cost a hash */
  async #countSignIn(operator_id: string): Promise<void> {
    const counter = this.limits.counterOfSignIns(operator_id);
    await this.limits.demand([counter]);
    await this.limits.countFailure([counter]);
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
    const device = await this.devices.findDevice(browser);
    const isKnown = device?.operator_id === operator._id;
    const actor = { kind: 'operator', id: operator._id } as const;
    const context = { ...browser.context, actor };
    const passed = await this.factors.pass(operator, code, isKnown ? device._id : operator._id, context);
    if (!isKnown) await this.devices.remember(operator._id, browser);
    return this.sessions.open(passed);
  }

  #ticketOf({ _id: operator_id, rights_version }: OperatorRecord): string {
    const ticket: Ticket = { operator_id, rights_version, expires_at: this.clock.now() + TICKET_LIFETIME_MS };
    return this.box.seal(JSON.stringify(ticket), TICKET_OWNER);
  }

  #opened(ticket: string): Ticket {
    const opened = this.box.open(ticket, TICKET_OWNER);
    if (opened === undefined) throw unauthorized();
    return JSON.parse(opened) as Ticket;
  }

  /**
   * Demands the current password of an operator who has signed in. Failures are counted, so that somebody with a stolen
   * session cannot guess it. @param field that holds the password @throws ApiError 422 for another one, 429 after too many
   */
  assertPassword({ _id, password_hash }: OperatorRecord, current: string, field = 'current'): Promise<void> {
    const counters = this.limits.countersOfOne(_id);
    return this.#oneByOne(counters, async () => {
      await this.limits.demand(counters);
      if (await this.passwords.matches(current, password_hash)) return;
      await this.limits.countFailure(counters);
      throw invalidField(field, 'incorrect', 'The current field is incorrect.');
    });
  }

  #oneByOne<T>(counters: readonly Counter[], work: () => Promise<T>): Promise<T> {
    return this.#attempts.run(
      counters.map(([policy, key]) => `${policy} ${key}`),
      work,
    );
  }
}
