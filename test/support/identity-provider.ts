import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** Somebody who has an account at the provider. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly amr?: readonly string[];
  readonly acr?: string;
}

/** The members of an answer of the token endpoint that tests change. */
export type TokenAnswer = Record<string, unknown> & { id_token: string };

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What is used of `oidc-provider`, which has no types. */
interface OidcProvider {
  callback(): Handler;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly prompt: { readonly name: string } }>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> };
  on(event: string, listener: (...given: unknown[]) => void): unknown;
}
type OidcPackage = { readonly default: new (issuer: string, configuration: object) => OidcProvider };

const PACKAGE: string = 'oidc-provider';
/** Of identity tokens. */
const TOKEN_SECONDS = 600;
const ALGORITHM = 'ES256';

export const CLIENT = { id: 'storage-access', secret: 'the secret of the client' } as const;

export interface ProviderOptions {
  /** Where the provider may send browsers back to. `trust` names a service. */
  readonly redirect_uris?: readonly string[];
  /** How long identity tokens are valid. */
  readonly token_seconds?: number;
  /** Merged into what the provider says of itself. */
  readonly discovery?: object;
  /** True: a person chooses whom to sign in as on a page. Absent: it is always `person`. */
  readonly asks?: boolean;
}

/**
 * A real OpenID Connect provider (`oidc-provider`) on a loopback port of its own. People need no password there: `person` is
 * who signs in next.
 */
export class TestIdentityProvider {
  person: Person = { sub: 'ada-at-the-provider', email: 'ada@example.com', email_verified: true };
  /** `down`: each connection is closed. `failing`: each answer is 503. `silent`: there is no answer. */
  state: 'up' | 'down' | 'failing' | 'silent' = 'up';
  /** Changes what the token endpoint answers. */
  tamper: ((answer: TokenAnswer) => Promise<TokenAnswer> | TokenAnswer) | undefined;
  /** Method and path of each request. */
  readonly requests: string[] = [];
  key!: { readonly privateKey: CryptoKey; readonly kid: string };
  #handler!: Handler;
  #provider!: OidcProvider;
  #keys = 0;
  #origin: string | undefined;
  readonly #stored = new StoredThings();

  private constructor(
    private readonly server: Server,
    private readonly options: ProviderOptions,
  ) {}

  static async start(options: ProviderOptions = {}): Promise<TestIdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new TestIdentityProvider(server, options);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      provider.#answer(request, response).catch((error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      });
    });
    await provider.rotateKeys();
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The variables of a service that uses this provider. */
  get environment(): Record<string, string> {
    return { OIDC_ISSUER: this.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
  }

  /** The provider signs with a new key from now on, and forgets the one before. */
  async rotateKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const kid = `key-${(this.#keys += 1)}`;
    this.key = { privateKey, kid };
    await this.#make();
  }

  /** Lets the service at this origin sign people in and out. */
  async trust(origin: string): Promise<void> {
    this.#origin = origin;
    await this.#make();
  }

  async #make(): Promise<void> {
    const { privateKey, kid } = this.key;
    const key = { ...(await exportJWK(privateKey)), kid };
    this.#provider = makeProvider(this.issuer, this.#configuration(key));
    this.#handler = this.#provider.callback();
  }

  /** Changes claims of each identity token, and signs it again with the provider's own key. */
  changeClaims(changes: object): void {
    this.tamper = async (answer) => {
      const { privateKey, kid } = this.key;
      const token = new SignJWT({ ...decodeJwt(answer.id_token), ...changes });
      return {
        ...answer,
        id_token: await token.setProtectedHeader({ alg: ALGORITHM, kid }).sign(privateKey),
      };
    };
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  #configuration(key: JWK): object {
    const { redirect_uris = [], token_seconds = TOKEN_SECONDS } = this.options;
    const callback = this.#origin === undefined ? [] : [`${this.#origin}/dashboard/sign-on/callback`];
    const post_logout_redirect_uris = this.#origin === undefined ? [] : [`${this.#origin}/dashboard/sign-in`];
    return {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [...redirect_uris, ...callback],
          post_logout_redirect_uris,
          id_token_signed_response_alg: ALGORITHM,
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [{ ...key, alg: ALGORITHM, use: 'sig' }] },
      cookies: { keys: ['a key of the provider'] },
      claims: { openid: ['sub', 'amr', 'acr'], email: ['email', 'email_verified'], auth_time: null },
      acrValues: ['urn:example:two-factors'],
      adapter: this.#stored.adapterOf,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => this.#claimsOf(accountId),
      }),
      loadExistingGrant: (context: GrantContext) => this.#grantFor(context),
      ttl: {
        IdToken: token_seconds,
        AccessToken: 600,
        AuthorizationCode: 60,
        Interaction: 600,
        Session: 600,
        Grant: 600,
      },
    };
  }

  #claimsOf(sub: string): object {
    const { email, email_verified, amr, acr } = this.person;
    return {
      sub,
      ...(amr !== undefined && { amr }),
      ...(acr !== undefined && { acr }),
      ...(email !== undefined && { email }),
      ...(email_verified !== undefined && { email_verified }),
    };
  }

  /** Nobody is asked whether the client may know them. */
  async #grantFor({ oidc: { session, client } }: GrantContext): Promise<unknown> {
    const grant = new this.#provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    grant.addOIDCScope('openid email');
    await grant.save();
    return grant;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.issuer);
    this.requests.push(`${request.method} ${pathname}`);
    if (this.state === 'down') return void request.socket.destroy();
    if (this.state === 'silent') return;
    if (this.state === 'failing') return void response.writeHead(503).end('Out of order.');
    if (pathname.startsWith('/interaction/')) return this.#signIn(request, response, searchParams);
    const { discovery } = this.options;
    if (pathname === '/token' && this.tamper !== undefined) changeAnswer(response, this.tamper);
    if (pathname.startsWith('/.well-known/') && discovery !== undefined)
      changeAnswer(response, (answer) => ({ ...answer, ...discovery }));
    await this.#handler(request, response);
  }

  async #signIn(request: IncomingMessage, response: ServerResponse, given: URLSearchParams): Promise<void> {
    if (this.options.asks === true && !given.has('go')) {
      const page = `<title>Provider</title><h1>Sign in at the provider</h1><form><button name="go" value="1">Sign in as ${this.person.sub}</button></form>`;
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    }
    const { sub: accountId, amr, acr } = this.person;
    await this.#provider.interactionFinished(request, response, { login: { accountId, amr, acr } });
  }
}

/** Changes a JSON answer before it is sent. */
function changeAnswer(
  response: ServerResponse,
  change: (answer: TokenAnswer) => Promise<object> | object,
): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse;
  response.end = ((body: Buffer | string) => {
    void Promise.resolve(change(JSON.parse(String(body)) as TokenAnswer)).then((answer) => {
      const text = JSON.stringify(answer);
      response.setHeader('Content-Length', Buffer.byteLength(text));
      end(text);
    });
    return response;
  }) as ServerResponse['end'];
}

interface StoredGrant {
  readonly uid?: string;
  readonly grantId?: string;
  consumed?: number;
}

/** What the provider keeps, also when its keys change. */
class StoredThings {
  readonly #things = new Map<string, StoredGrant>();

  readonly adapterOf = (kind: string) => {
    const things = this.#things;
    const keyOf = (id: string) => `${kind} ${id}`;
    return {
      upsert: (id: string, thing: StoredGrant) => Promise.resolve(void things.set(keyOf(id), thing)),
      find: (id: string) => Promise.resolve(things.get(keyOf(id))),
      findByUid: (uid: string) => Promise.resolve([...things.values()].find((thing) => thing.uid === uid)),
      consume: (id: string) => Promise.resolve(void (things.get(keyOf(id))!.consumed = 1)),
      destroy: (id: string) => Promise.resolve(void things.delete(keyOf(id))),
      revokeByGrantId: (grantId: string) => {
        for (const [key, thing] of things) if (thing.grantId === grantId) things.delete(key);
        return Promise.resolve();
      },
    };
  };
}

interface GrantContext {
  readonly oidc: {
    readonly session: { readonly accountId: string };
    readonly client: { readonly clientId: string };
  };
}

/** Without the notices that the package prints: Node 20 is not among its runtimes, and everything here is for tests. */
function makeProvider(issuer: string, configuration: object): OidcProvider {
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { default: Provider } = require(PACKAGE) as OidcPackage;
    return new Provider(issuer, configuration);
  } finally {
    Object.assign(console, { info, warn });
  }
}

/**
 * Signs somebody in at the provider as a browser does: follows redirects with the provider's cookies.
 * @returns the address of the service to which the provider sends the browser back
 */
export async function signInAtProvider(provider: TestIdentityProvider, url: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let redirects = 0; next.startsWith(provider.issuer); redirects += 1) {
    if (redirects > 10) throw new Error(`The provider redirects without end: ${next}`);
    const headers = { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
    const answer = await fetch(next, { headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=');
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`The provider answers ${answer.status}: ${await answer.text()}`);
    next = new URL(location, next).href;
  }
  return new URL(next);
}
