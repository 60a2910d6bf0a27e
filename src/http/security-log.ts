import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { LOGGER, SUBJECT_KEY } from '../config/injection-tokens.js';
import type { Logger } from '../config/logger.js';
import type { ApiError } from './api-error.js';
import { OPERATOR_COOKIE } from './authentication.js';
import { ClientAddresses } from './client-address.js';
import { contextOf } from './request-context.js';

/** What is told of each refusal that may be somebody's attempt, by the error's code. */
const TOLD: Readonly<Record<string, string>> = {
  unauthorized: 'A credential was refused.',
  forbidden: 'A caller asked for what is not theirs.',
  rate_limited: 'A limit was reached.',
  otp_invalid: 'A code was refused.',
  phone_unknown: 'A code was asked for a phone that nobody has.',
};

/** Every value of `security` in a log line. */
export const SECURITY_EVENTS = ['started', 'stopping', 'stopped', 'sign_in_failed', ...Object.keys(TOLD)];

const HASH_LENGTH = 16;

/**
 * Tells of refusals that an operator of the service should see, as log lines with a member `security`. Who and from where
 * stands there as a hash under a key of the service: the same one has the same hash, and nobody else can tell whose it is.
 */
@Injectable()
export class SecurityLog {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly addresses: ClientAddresses,
    @Optional() @Inject(SUBJECT_KEY) private readonly key: Buffer = randomBytes(32),
  ) {}

  /** Tells of an error that is about to be answered, where it is of that kind. */
  refused({ code, status }: ApiError, request: Request): void {
    const message = TOLD[code];
    if (message === undefined) return;
    const isSignIn = code === 'unauthorized' && signInOf(request) !== undefined;
    if (code === 'unauthorized' && !isSignIn && !givesCredential(request)) return;
    const details = {
      security: isSignIn ? 'sign_in_failed' : code,
      status,
      method: request.method,
      route: routeOf(request),
      subject: this.#subjectOf(request),
      address: this.#hash(this.addresses.of(request)),
      request_id: contextOf(request)?.request_id,
    };
    this.logger.warn(details, isSignIn ? 'A sign-in failed.' : message);
  }

  /** The caller, whose id says nothing about a person; otherwise a hash of whom the request names, or of its credential. */
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

/** Whether there was anything to refuse: who comes without, like a browser on its first visit, is only asked to sign in. */
function givesCredential({ headers: { authorization, cookie = '' } }: Request): boolean {
  return authorization !== undefined || cookie.includes(`${OPERATOR_COOKIE}=`);
}

/** Whom a request to sign in names: an e-mail or a phone number. */
function signInOf({ body }: Request): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { email, country_code, phone_number } = body as Record<string, unknown>;
  if (typeof email === 'string') return email.trim().toLowerCase();
  return typeof phone_number === 'string' ? `+${String(country_code)}${phone_number}` : undefined;
}

/** The route's pattern: a path may name what is nobody's business. */
export function routeOf(request: Request): string | undefined {
  return (request.route as { path?: string } | undefined)?.path;
}
