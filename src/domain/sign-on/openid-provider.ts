import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  ResponseBodyError,
  type ServerMetadata,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { AddressRefusedError } from '#kernel/address-guard.js';
import type { Clock } from '#kernel/clock.js';
import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import {
  type AuthorizationRequest,
  IdentityProvider,
  type ProvenPerson,
  type ProviderAnswer,
  ProviderFault,
  type ProviderTrouble,
  type StatedEmail,
} from './identity-provider.js';
import { AnswerTooLargeError, AnswerTooLateError, ProviderHttp } from './provider-http.js';

/** The provider's description of itself is read again after this time, so a provider that is down is noticed. */
const DESCRIPTION_LIFETIME_MS = 60_000;
/** Seconds that the provider's clock may differ from ours. */
const CLOCK_TOLERANCE_S = 60;
/** By the standard. */
const LONGEST_SUBJECT = 255;
/** Longer identity tokens do not fit into an address. */
const LONGEST_TOKEN_HINT = 4_000;

interface Description {
  readonly metadata: ServerMetadata;
  readonly read_at: number;
}

type ProviderSettings = Omit<SignOnSettings, 'label' | 'only'>;

/**
 * An OpenID Connect provider: authorization code with PKCE, by `openid-client`. The signature of each identity token is
 * checked with the provider's keys of that moment: they are never cached, so the provider may change them at any time.
 */
export class OpenIdProvider extends IdentityProvider {
  readonly #http: ProviderHttp;
  #description: Description | undefined;
  /** The reading that is under way: callers share it. */
  #reading: Promise<ServerMetadata> | undefined;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly clock: Clock,
  ) {
    super();
    this.#http = new ProviderHttp(clock);
  }

  authorizationUrl({ redirect_uri, secrets, asks_again }: AuthorizationRequest): Promise<string> {
    return this.#ask(async (provider) => {
      const { state, nonce, code_verifier } = secrets;
      const url = buildAuthorizationUrl(provider, {
        redirect_uri,
        // Nothing is asked for that is not needed.
        scope: this.settings.link_by_email ? 'openid email' : 'openid',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
        // With `max_age` the provider says when the person signed in there.
        ...(asks_again && { prompt: 'login', max_age: '0' }),
      });
      return url.href;
    });
  }

  identify({ parameters, redirect_uri, secrets }: ProviderAnswer): Promise<ProvenPerson> {
    return this.#ask(async (provider) => {
      const { state, nonce, code_verifier } = secrets;
      const address = new URL(`${redirect_uri}?${parameters.toString()}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier };
      const answer = await authorizationCodeGrant(provider, address, checks);
      // `expectedNonce` demands an identity token.
      const claims = answer.claims()!;
      if (claims.sub === '' || claims.sub.length > LONGEST_SUBJECT)
        throw new ProviderFault('untrusted', 'subject_invalid');
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: await this.#emailOf(provider, claims, answer.access_token),
        methods: [claims['amr'] ?? [], claims['acr'] ?? []].flat().filter((one) => typeof one === 'string'),
        signed_in_at: claims.auth_time === undefined ? null : claims.auth_time * 1_000,
        id_token: answer.id_token!,
      };
    });
  }

  signOutUrl(id_token: string | undefined, return_to: string): Promise<string | undefined> {
    return this.#ask((provider) => {
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined;
      const hint = id_token !== undefined &&
        id_token.length <= LONGEST_TOKEN_HINT && { id_token_hint: id_token };
      return buildEndSessionUrl(provider, { post_logout_redirect_uri: return_to, ...hint }).href;
    });
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  /** Many providers tell the e-mail only at their address for it, not in the identity token. */
  async #emailOf(
    provider: Configuration,
    claims: IDToken,
    access_token: string,
  ): Promise<StatedEmail | null> {
    if (!this.settings.link_by_email) return null;
    const hasOther =
      claims['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined;
    const told = hasOther ? await fetchUserInfo(provider, access_token, claims.sub) : claims;
    const { email, email_verified } = told;
    return typeof email === 'string' ? { address: email, is_verified: email_verified === true } : null;
  }

  async #ask<T>(work: (provider: Configuration) => T | Promise<T>): Promise<T> {
    try {
      return await work(this.#configured(await this.#describe()));
    } catch (error) {
      throw faultOf(error);
    }
  }

  /** A new configuration has no keys yet, so it reads those of now. */
  #configured(metadata: ServerMetadata): Configuration {
    const { client_id, client_secret } = this.settings;
    const skew = Math.round((this.clock.now() - Date.now()) / 1_000);
    const times = { [clockSkew]: skew, [clockTolerance]: CLOCK_TOLERANCE_S };
    const provider = new Configuration(metadata, client_id, times, clientAuth(metadata, client_secret));
    provider[customFetch] = this.#http.fetch;
    provider.timeout = undefined;
    enableNonRepudiationChecks(provider);
    if (this.#isPlain) allowInsecureRequests(provider);
    return provider;
  }

  get #isPlain(): boolean {
    return this.settings.issuer.startsWith('http:');
  }

  async #describe(): Promise<ServerMetadata> {
    const known = this.#description;
    if (known !== undefined && this.clock.now() - known.read_at < DESCRIPTION_LIFETIME_MS)
      return known.metadata;
    this.#reading ??= this.#readDescription().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readDescription(): Promise<ServerMetadata> {
    const { issuer, client_id } = this.settings;
    const options = {
      [customFetch]: this.#http.fetch,
      ...(this.#isPlain && { execute: [allowInsecureRequests] }),
    };
    const found = await discovery(new URL(issuer), client_id, undefined, undefined, options);
    const metadata = found.serverMetadata();
    // The library lets Entra ID describe itself as every tenant's issuer.
    if (new URL(metadata.issuer).href !== new URL(issuer).href)
      throw new ProviderFault('misconfigured', 'other_issuer');
    this.#description = { metadata, read_at: this.clock.now() };
    return metadata;
  }
}

/** In the body if the provider takes it there, because providers differ in how they decode the header. */
function clientAuth(
  { token_endpoint_auth_methods_supported: methods }: ServerMetadata,
  secret: string,
): ClientAuth {
  return methods?.includes('client_secret_post') === true
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret);
}

/** Codes of openid-client, and the trouble behind each. All others come from an answer that cannot be trusted. */
const TROUBLES: Readonly<Record<string, readonly [ProviderTrouble, string]>> = {
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: ['misconfigured', 'other_issuer'],
  OAUTH_RESPONSE_IS_NOT_CONFORM: ['misconfigured', 'unexpected_status'],
  OAUTH_RESPONSE_IS_NOT_JSON: ['misconfigured', 'no_json'],
  OAUTH_PARSE_ERROR: ['misconfigured', 'no_json'],
  OAUTH_MISSING_SERVER_METADATA: ['misconfigured', 'endpoint_missing'],
  OAUTH_INVALID_SERVER_METADATA: ['misconfigured', 'endpoint_invalid'],
  OAUTH_HTTP_REQUEST_FORBIDDEN: ['misconfigured', 'endpoint_without_tls'],
};

function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  return statedFault(error) ?? foundFault(error as Found);
}

/** A refusal in the provider's own words. */
function statedFault(error: unknown): ProviderFault | undefined {
  if (error instanceof AuthorizationResponseError) return new ProviderFault('declined', codeOf(error.error));
  if (error instanceof WWWAuthenticateChallengeError || isClientRefused(error))
    return new ProviderFault('misconfigured', 'client_refused');
  if (!(error instanceof ResponseBodyError)) return undefined;
  return new ProviderFault(error.status >= 500 ? 'unreachable' : 'untrusted', codeOf(error.error));
}

/** What a library throws. */
interface Found {
  readonly code?: unknown;
  readonly cause?: unknown;
}

/** A fault that the library found in an answer, or that kept an answer from coming. */
function foundFault(error: Found): ProviderFault {
  const { code, cause } = error;
  if (error instanceof AddressRefusedError || cause instanceof AddressRefusedError)
    return new ProviderFault('misconfigured', 'address_refused');
  if (cause instanceof Response && cause.status >= 500)
    return new ProviderFault('unreachable', `status_${cause.status}`);
  if (typeof code !== 'string' || !code.startsWith('OAUTH_'))
    return new ProviderFault('unreachable', reasonOf(cause ?? error));
  const [trouble, fault] = TROUBLES[code] ?? (['untrusted', codeOf(code)] as const);
  return new ProviderFault(trouble, fault);
}

/** Why a connection failed. */
function reasonOf(error: unknown): string {
  if (error instanceof AnswerTooLateError) return 'too_late';
  if (error instanceof AnswerTooLargeError) return 'too_large';
  const { code } = error as Found;
  return typeof code === 'string' ? codeOf(code) : 'no_answer';
}

function isClientRefused(error: unknown): boolean {
  return (
    error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error)
  );
}

/** The provider chooses some of these texts. */
function codeOf(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, '_').slice(0, 60);
}
