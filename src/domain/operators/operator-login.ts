import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { CLOCK, ENVIRONMENT } from '#kernel/injection-tokens.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { SecretBox } from '#kernel/secret-box.js';
import { KeyedMutex } from '#kernel/keyed-mutex.js';
import { type ApiError, errorOf, invalidField, unauthorized } from '#kernel/errors/api-error.js';
import type { Counter } from '#kernel/rate-limiter.js';
import type { Browser } from './browser.js';
import { SignInLimits } from './sign-in-limits.js';
import { OperatorDevices } from './operator-devices.js';
import { type OpenedSession, OperatorSessions, type SignedOn } from './operator-sessions.js';
import { OperatorWrites } from './operator-writes.js';
import { type OperatorRecord, Operators } from './operators.js';
import { Passwords } from './passwords.js';
import { SecondFactors } from './second-factors.js';
import { mayUsePassword } from './sign-in-ways.js';

const TICKET_LIFETIME_MS = 5 * 60 * 1000;
const TICKET_OWNER = 'sign-in';

/** Says that this operator's password was right. The code must follow before `expires_at` (milliseconds). */
interface Ticket {
  readonly operator_id: string;
  readonly rights_version: number;
  readonly expires_at: number;
  /** Given if the provider proved who the operator is, in place of a password. */
  readonly signed_on?: SignedOn | undefined;
}

/** What a right password, or a sign-on at the provider, leads to. */
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

/** By what an operator signs in, beside a right password. */
interface Proofs {
  readonly code?: string | undefined;
  readonly signed_on?: SignedOn | undefined;
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
    private readonly writes: OperatorWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'sign_on'>,
  ) {}

  /**
   * Opens a session, or returns a ticket if the code of the second factor is missing. Attempts with the same counters run one
   * after the other, so that parallel attempts cannot pass a limit. The response's headers say how many failures are left. A
   * new browser is remembered.
   * @throws ApiError 401 for a wrong e-mail, password or code; 403 for any where passwords are off; 429 after too many of them
   * @throws StoreUnavailableError
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
      const isRight = matches && operator?.disabled === false;
      if (isRight && mayUsePassword(operator, this.environment.sign_on))
        return this.#enterByPassword(operator, code, browser);
      await this.limits.countFailure(counters, browser.headers);
      throw await this.#refusalOf(isRight ? operator : undefined, browser);
    });
  }

  async #enterByPassword(
    operator: OperatorRecord,
    code: string | undefined,
    browser: Browser,
  ): Promise<SignIn> {
    await this.#countSignIn(operator._id);
    if (operator.second_factor !== null && code === undefined)
      return { kind: 'code_due', ticket: this.#ticketOf(operator) };
    return { kind: 'opened', session: await this.#open(operator, { code }, browser) };
  }

  /** Where passwords are off, the answer does not tell whether one was right. @param operator whose password was right */
  async #refusalOf(operator: OperatorRecord | undefined, { context }: Browser): Promise<ApiError> {
    if (this.environment.sign_on?.only !== true) return unauthorized();
    if (operator !== undefined) {
      const { _id } = operator;
      const actor = { kind: 'operator', id: _id } as const;
      const command = { type: 'RefuseSignOn', reason: 'passwords_off' } as const;
      await this.writes.note(_id, command, { ...context, actor });
    }
    return errorOf('sign_on_required');
  }

  /**
   * Signs in an operator of whom the provider has proven who he is. Our second factor is asked unless the provider's counts.
   * @throws StoreUnavailableError
   */
  async enter(operator: OperatorRecord, signed_on: SignedOn, browser: Browser): Promise<SignIn> {
    if (operator.second_factor !== null && !signed_on.has_factor)
      return { kind: 'code_due', ticket: this.#ticketOf(operator, signed_on) };
    return { kind: 'opened', session: await this.#open(operator, { signed_on }, browser) };
  }

  /** @throws ApiError 429 after too many right passwords: each of them has cost a hash */
  async #countSignIn(operator_id: string): Promise<void> {
    const counter = this.limits.counterOfSignIns(operator_id);
    await this.limits.demand([counter]);
    await this.limits.countFailure([counter]);
  }

  /** Opens a session for a ticket. @throws ApiError 401 for an expired ticket, a wrong code or a used one; 429 */
  async finish(ticket: string, code: string, browser: Browser): Promise<OpenedSession> {
    const { operator_id, rights_version, expires_at, signed_on } = this.#opened(ticket);
    const operator = await this.operators.byId(operator_id);
    const isValid = operator?.rights_version === rights_version && expires_at > this.clock.now();
    if (!isValid || operator.disabled) throw unauthorized();
    return this.#open(operator, { code, signed_on }, browser);
  }

  async #open(
    operator: OperatorRecord,
    { code, signed_on }: Proofs,
    browser: Browser,
  ): Promise<OpenedSession> {
    const device = await this.devices.findDevice(browser);
    const isKnown = device?.operator_id === operator._id;
    const actor = { kind: 'operator', id: operator._id } as const;
    const context = { ...browser.context, actor };
    const passed =
      signed_on?.has_factor === true
        ? operator
        : await this.factors.pass(operator, code, isKnown ? device._id : operator._id, context);
    if (!isKnown) await this.devices.remember(operator._id, browser);
    return this.sessions.open(passed, signed_on);
  }

  #ticketOf({ _id: operator_id, rights_version }: OperatorRecord, signed_on?: SignedOn): string {
    const expires_at = this.clock.now() + TICKET_LIFETIME_MS;
    const ticket: Ticket = { operator_id, rights_version, expires_at, signed_on };
    return this.box.seal(JSON.stringify(ticket), TICKET_OWNER);
  }

  #opened(ticket: string): Ticket {
    const opened = this.box.open(ticket, TICKET_OWNER);
    if (opened === undefined) throw unauthorized();
    return JSON.parse(opened) as Ticket;
  }

  /**
   * Demands the current password of an operator who has signed in, or a sign-on at the provider a few minutes ago. Failures
   * are counted, so that somebody with a stolen session cannot guess the password.
   * @param field that holds the password @throws ApiError 422 for another one, 429 after too many
   */
  async assertPresence(
    { _id, password_hash }: OperatorRecord,
    { is_present }: Pick<OperatorPrincipal, 'is_present'>,
    current: string | undefined,
    field = 'current',
  ): Promise<void> {
    if (is_present === true) return;
    if (current === undefined) throw invalidField(field, 'required', 'The current field is required.');
    const counters = this.limits.countersOfOne(_id);
    await this.#oneByOne(counters, async () => {
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
