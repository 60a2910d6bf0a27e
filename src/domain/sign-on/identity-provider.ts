/** A sign-on that begins. */
export interface AuthorizationRequest {
  /** Our address to which the provider sends the browser back. */
  readonly redirect_uri: string;
  readonly secrets: SignOnSecrets;
  /** True: the provider asks for credentials again, although the person is signed in there. */
  readonly asks_again: boolean;
}

/** Random texts that bind a sign-on to one browser. Nobody else knows them. */
export interface SignOnSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly code_verifier: string;
}

/** What the browser brought back from the provider. */
export interface ProviderAnswer {
  /** The parameters of the address to which the provider sent the browser. */
  readonly parameters: URLSearchParams;
  readonly redirect_uri: string;
  readonly secrets: SignOnSecrets;
}

/** An e-mail, as the provider states it. Only one that it says to have verified proves anything. */
export interface StatedEmail {
  readonly address: string;
  readonly is_verified: boolean;
}

/** A person, as the provider has proven. */
export interface ProvenPerson {
  readonly issuer: string;
  /** The person's identifier at this issuer. It never changes. */
  readonly subject: string;
  /** Null if it was not asked for, or the provider does not tell it. */
  readonly email: StatedEmail | null;
  /** How the person signed in at the provider: `amr` and `acr`. */
  readonly methods: readonly string[];
  /** When the person signed in at the provider, in milliseconds. Null if the provider does not say. */
  readonly signed_in_at: number | null;
  /** The provider ends the person's session for it. A secret. */
  readonly id_token: string;
}

/**
 * - `unreachable`: the provider does not answer, or answers that it cannot work.
 * - `misconfigured`: it does not accept this service as a client, or is not the configured issuer.
 * - `declined`: it says that the person may not, or did not, sign in.
 * - `untrusted`: what came back does not belong to this sign-on, or is not from this provider.
 */
export type ProviderTrouble = 'unreachable' | 'misconfigured' | 'declined' | 'untrusted';

/** The sign-on failed at the provider. `fault` is for the log: a code without an address, a token or a name. */
export class ProviderFault extends Error {
  constructor(
    readonly trouble: ProviderTrouble,
    readonly fault: string,
  ) {
    super(`The identity provider: ${trouble} (${fault}).`);
    this.name = 'ProviderFault';
  }
}

/** The provider of single sign-on. Every method that asks it throws ProviderFault. */
export abstract class IdentityProvider {
  /** The address at the provider where the person signs in. */
  abstract authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /** Exchanges the code and checks all that the provider says. */
  abstract identify(answer: ProviderAnswer): Promise<ProvenPerson>;
  /**
   * The address at the provider that ends the person's session there. Undefined if the provider has none.
   * @param id_token of the sign-on; without it the provider may ask first
   */
  abstract signOutUrl(id_token: string | undefined, return_to: string): Promise<string | undefined>;
  abstract close(): Promise<void>;
}

/** Where none is set. Nothing of single sign-on is offered then. */
export class NoIdentityProvider extends IdentityProvider {
  authorizationUrl = () => Promise.reject(new ProviderFault('misconfigured', 'none'));
  identify = () => Promise.reject(new ProviderFault('misconfigured', 'none'));
  signOutUrl = () => Promise.resolve(undefined);
  close = () => Promise.resolve();
}
