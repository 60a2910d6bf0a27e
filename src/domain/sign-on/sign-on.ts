import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { hashOf } from '#kernel/credential-hash.js';
import type { Environment } from '#kernel/environment/environment.js';
import { CLOCK, ENVIRONMENT, IDS } from '#kernel/injection-tokens.js';
import type { Ids } from '#kernel/ids.js';
import { RateLimiter } from '#kernel/rate-limiter.js';
import { type Browser, type OpenedSession, OperatorLogin, OperatorWrites } from '#domain/operators/index.js';
import { IdentityProvider, type ProvenPerson, ProviderFault } from './identity-provider.js';
import { type Purpose, SignOnFlows } from './sign-on-flows.js';
import { SignOnLinks } from './sign-on-links.js';
import { SignOnRefusedError, type SignOnRefusal } from './sign-on-refusal.js';
import { SignOnTokens } from './sign-on-tokens.js';

/** Sign-ons that begin, by client address. */
const BEGIN_POLICY = { name: 'operator-sign-on', limit: 30, windowSeconds: 60 } as const;
/** Refusals that are noted in the history of an operator. Strangers can cause some of them. */
const NOTED_POLICY = { name: 'operator-sign-on-refused', limit: 10, windowSeconds: 3_600 } as const;

/** A refused sign-on. `fault` is for the log: a code of the provider. */
export interface RefusedSignOn {
  readonly kind: 'refused';
  readonly reason: SignOnRefusal;
  readonly fault?: string;
}

/** A sign-on that began: the browser goes to `location`, and keeps `token` for `seconds`. */
export interface BegunSignOn {
  readonly kind: 'begun';
  readonly location: string;
  readonly token: string;
  readonly seconds: number;
}

/** What a sign-on came to, and the page that asked for it. */
export type FinishedSignOn = (
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  /** The code of our second factor must follow, with this ticket. */
  | { readonly kind: 'code_due'; readonly ticket: string }
  | RefusedSignOn
) & { readonly next: string | undefined };

/** Single sign-on of operators (decisions §6). The settings must name a provider. */
@Injectable()
export class SignOn {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'sign_on'>,
    private readonly provider: IdentityProvider,
    private readonly flows: SignOnFlows,
    private readonly links: SignOnLinks,
    private readonly tokens: SignOnTokens,
    private readonly logins: OperatorLogin,
    private readonly writes: OperatorWrites,
    private readonly limits: RateLimiter,
  ) {
    limits.define(BEGIN_POLICY);
    limits.define(NOTED_POLICY);
  }

  /** @throws ApiError 429. @throws StoreUnavailableError */
  async begin(
    purpose: Purpose,
    redirect_uri: string,
    { network }: Browser,
  ): Promise<BegunSignOn | RefusedSignOn> {
    const state = await this.limits.consume(BEGIN_POLICY.name, hashOf(network));
    if (!state.allowed) throw this.limits.refusal(BEGIN_POLICY.name, state);
    const { token, secrets, seconds } = await this.flows.begin(purpose);
    try {
      const { asks_again } = purpose;
      const location = await this.provider.authorizationUrl({ redirect_uri, secrets, asks_again });
      return { kind: 'begun', location, token, seconds };
    } catch (error) {
      return refused(error);
    }
  }

  /**
   * @param token of `begin` @param parameters of the address to which the provider sent the browser
   * @throws StoreUnavailableError
   */
  async finish(
    token: string | undefined,
    answer: { readonly parameters: URLSearchParams; readonly redirect_uri: string },
    browser: Browser,
  ): Promise<FinishedSignOn> {
    const flow = token === undefined ? undefined : await this.flows.take(token);
    if (flow === undefined) return { kind: 'refused', reason: 'over', next: undefined };
    const { next, secrets } = flow;
    try {
      const person = await this.provider.identify({ ...answer, secrets });
      return { ...(await this.#enter(person, flow, browser)), next };
    } catch (error) {
      if (error instanceof SignOnRefusedError) await this.#note(error, browser);
      return { ...refused(error), next };
    }
  }

  /**
   * The address at the provider that ends a person's session there. Undefined if the session was not opened by a sign-on, or
   * the provider has no such address or does not answer.
   * @param session token of the session here
   */
  async signOutUrl(session: string, return_to: string): Promise<string | undefined> {
    if (this.environment.sign_on === undefined) return undefined;
    const id_token = await this.tokens.take(session);
    if (id_token === undefined) return undefined;
    return this.provider.signOutUrl(id_token, return_to).catch((error: unknown) => {
      if (error instanceof ProviderFault) return undefined;
      throw error;
    });
  }

  async #enter(
    person: ProvenPerson,
    { invitation, asks_again }: Purpose,
    browser: Browser,
  ): Promise<Exclude<FinishedSignOn, RefusedSignOn>> {
    const linked = await this.links.findOrLink(person, invitation, browser.context);
    const has_factor = this.#countsAsFactor(person);
    const actor = { kind: 'operator', id: linked._id } as const;
    // A command of its own, beside the one that made the link.
    const context = { ...browser.context, actor, command_id: this.ids.ulid() };
    const operator = await this.links.noteSignOn(linked, { person, has_factor }, context);
    const proven_at = person.signed_in_at ?? (asks_again ? this.clock.now() : null);
    const signIn = await this.logins.enter(operator, { proven_at, has_factor }, browser);
    if (signIn.kind === 'opened') await this.tokens.keep(person.id_token, signIn.session);
    return { ...signIn, next: undefined };
  }

  #countsAsFactor({ methods }: ProvenPerson): boolean {
    const { mfa_values = [] } = this.environment.sign_on ?? {};
    return methods.some((method) => mfa_values.includes(method));
  }

  /** Notes a refusal in the history of the operator whom it concerns. */
  async #note({ reason, operator_id }: SignOnRefusedError, { context }: Browser): Promise<void> {
    if (operator_id === undefined || !isNoted(reason)) return;
    const { allowed } = await this.limits.consume(NOTED_POLICY.name, hashOf(operator_id));
    if (allowed) await this.writes.note(operator_id, { type: 'RefuseSignOn', reason }, context);
  }
}

const NOTED = ['disabled', 'email_unverified', 'linked_to_other', 'belongs_to_other'] as const;

function isNoted(reason: SignOnRefusal): reason is (typeof NOTED)[number] {
  return NOTED.some((one) => one === reason);
}

/** @throws what is no refusal */
function refused(error: unknown): RefusedSignOn {
  if (error instanceof ProviderFault) return { kind: 'refused', reason: error.trouble, fault: error.fault };
  if (error instanceof SignOnRefusedError) return { kind: 'refused', reason: error.reason };
  throw error;
}
