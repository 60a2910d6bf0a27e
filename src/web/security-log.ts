import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Request } from 'express';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, LOGGER, SUBJECT_KEY } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import type { ApiError } from '#kernel/errors/api-error.js';
import { OPERATOR_COOKIE } from './authentication.js';
import { ClientAddresses } from './client-address.js';
import { contextOf, type OperatorContext, routeOf } from './request-context.js';

/** Log messages for refusals that may be attacks, by the error's code. */
const MESSAGES: Readonly<Record<string, string>> = {
  unauthorized: 'A credential was refused.',
  forbidden: 'A caller asked for something that they may not have.',
  rate_limited: 'A limit was reached.',
  otp_invalid: 'A code was refused.',
  code_invalid: 'A code of a second factor was refused.',
  invitation_invalid: 'A link of an invitation was refused.',
  phone_unknown: 'A code was asked for a phone that nobody has.',
};

/** Every value of `security` in a log line. */
export const SECURITY_EVENTS = [
  ...['started', 'stopping', 'stopped', 'source_tested', 'sign_in_failed', 'sign_on_refused'],
  ...Object.keys(MESSAGES),
];

const HASH_LENGTH = 16;

/** At most this many refusals with one code of one address are logged in a minute. The rest is only counted. */
const MOST_LOGGED = 10;
const MINUTE_MS = 60_000;
/** At most this many codes and addresses are counted separately in a minute. */
const MOST_COUNTED = 10_000;

/**
 * Logs refusals that may be attacks, as lines with a member `security`. Callers and addresses are hashes with a key of the
 * service: equal callers have equal hashes, and nobody can compute whose hash it is.
 */
@Injectable()
export class SecurityLog {
  /** Refusals of this minute by code and address. */
  readonly #refusals = new Map<string, number>();
  /** Refusals without a line by code. */
  readonly #leftOut = new Map<string, number>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly addresses: ClientAddresses,
    @Inject(CLOCK) private readonly clock: Clock,
    @Optional() @Inject(SUBJECT_KEY) private readonly key: Buffer = randomBytes(32),
  ) {}

  /** Logs an error of this kind. Called before the answer. */
  refused({ code, status }: ApiError, request: Request): void {
    const message = MESSAGES[code];
    if (message === undefined) return;
    const isSignIn = code === 'unauthorized' && signInOf(request) !== undefined;
    if (!isSignIn && this.#isSilent(code, request)) return;
    const details = {
      security: isSignIn ? 'sign_in_failed' : code,
      status,
      method: request.method,
      route: routeOf(request),
      subject: this.#subjectOf(request),
      address: this.#hash(this.addresses.findAddress(request)),
      request_id: contextOf(request)?.request_id,
    };
    this.logger.warn(details, isSignIn ? 'A sign-in failed.' : message);
  }

  /** Logs a refused single sign-on. @param fault a code of the provider */
  signOnRefused(
    { reason, fault }: { readonly reason: string; readonly fault?: string },
    request: Request,
  ): void {
    if (this.#isLeftOut('sign_on_refused', request)) return;
    const address = this.#hash(this.addresses.findAddress(request));
    const request_id = contextOf(request)?.request_id;
    this.logger.warn(
      { security: 'sign_on_refused', reason, fault, address, request_id },
      'A sign-on was refused.',
    );
  }

  /** Logs that an operator lets the service call an address. @param origin without path and query, which may hold a secret */
  tested(company_id: string, origin: string, { principal, request_id }: OperatorContext): void {
    const subject = `${principal.kind}:${principal.id}`;
    this.logger.info(
      { security: 'source_tested', company_id, origin, subject, request_id },
      'A pull source is tested.',
    );
  }

  /** True for a refusal without a line. Callers with a credential are known, so their lines about limits stay. */
  #isSilent(code: string, request: Request): boolean {
    if (code === 'rate_limited')
      return contextOf(request)?.principal === undefined && this.#isLeftOut(code, request);
    return code === 'unauthorized' && (this.#isLeftOut(code, request) || !givesCredential(request));
  }

  /** True for a refusal beyond the limit: it leaves no line, not even in the access log. */
  #isLeftOut(code: string, request: Request): boolean {
    const key = `${code} ${this.addresses.findAddress(request)}`;
    const count = (this.#refusals.get(key) ?? 0) + 1;
    if (this.#refusals.size === 0) this.clock.after(MINUTE_MS, () => this.#endMinute());
    if (count > 1 || this.#refusals.size < MOST_COUNTED) this.#refusals.set(key, count);
    const isLeftOut = count > MOST_LOGGED;
    if (!isLeftOut) return false;
    this.#leftOut.set(code, (this.#leftOut.get(code) ?? 0) + 1);
    const context = contextOf(request);
    if (context !== undefined) context.isUnlogged = true;
    return true;
  }

  #endMinute(): void {
    this.#refusals.clear();
    for (const [security, left_out] of this.#leftOut)
      this.logger.warn({ security, left_out }, 'Further refusals were left out of the log.');
    this.#leftOut.clear();
  }

  /** The caller's id. Without a caller: a hash of the e-mail or phone of a sign-in, or of the credential. */
  #subjectOf(request: Request): string | null {
    const principal = contextOf(request)?.principal;
    if (principal !== undefined) return `${principal.kind}:${principal.id}`;
    const named = signInOf(request) ?? request.headers.authorization ?? request.headers.cookie;
    return named === undefined ? null : this.#hash(named);
  }

  #hash(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex').slice(0, HASH_LENGTH);
  }
}

/** A request without a credential, such as a browser's first visit, is only asked to sign in. */
function givesCredential({ headers: { authorization, cookie = '' } }: Request): boolean {
  return authorization !== undefined || cookie.includes(`${OPERATOR_COOKIE}=`);
}

/** The e-mail or phone number of a sign-in. */
function signInOf({ body }: Request): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { email, country_code, phone_number } = body as Record<string, unknown>;
  if (typeof email === 'string') return email.trim().toLowerCase();
  return typeof phone_number === 'string' ? `+${String(country_code)}${phone_number}` : undefined;
}
