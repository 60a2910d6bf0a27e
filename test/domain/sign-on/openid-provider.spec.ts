import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT, generateKeyPair } from 'jose';
import { systemClock } from '#kernel/clock.js';
import {
  type ProvenPerson,
  ProviderFault,
  type ProviderTrouble,
  type SignOnSecrets,
} from '#domain/sign-on/identity-provider.js';
import { OpenIdProvider } from '#domain/sign-on/openid-provider.js';
import { ManualClock } from '../../support/manual-clock.js';
import {
  CLIENT,
  type ProviderOptions,
  signInAtProvider,
  TestIdentityProvider,
} from '../../support/identity-provider.js';

const REDIRECT_URI = 'http://127.0.0.1:1/dashboard/sign-on/callback';
const OTHER_ISSUER = 'https://other.example';

const SECRETS: SignOnSecrets = {
  state: 'the state of this sign-on',
  nonce: 'the nonce of this sign-on',
  code_verifier: 'a code verifier of this sign-on that has at least 43 characters'.replaceAll(' ', '-'),
};

let provider: TestIdentityProvider;
let clock: ManualClock;
let opened: OpenIdProvider[] = [];

async function startProvider(options: Partial<ProviderOptions> = {}): Promise<void> {
  provider = await TestIdentityProvider.start({ redirect_uris: [REDIRECT_URI], ...options });
}

beforeEach(async () => {
  clock = new ManualClock(systemClock.now());
  await startProvider();
});
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
  await provider.close();
});

function connect(settings: Partial<ConstructorParameters<typeof OpenIdProvider>[0]> = {}): OpenIdProvider {
  const usual = {
    issuer: provider.issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    link_by_email: false,
    mfa_values: [],
  };
  const client = new OpenIdProvider({ ...usual, ...settings }, clock);
  opened.push(client);
  return client;
}

const begin = (client: OpenIdProvider, secrets = SECRETS) =>
  client.authorizationUrl({ redirect_uri: REDIRECT_URI, secrets, asks_again: false });

const finish = (client: OpenIdProvider, { searchParams }: URL, secrets = SECRETS) =>
  client.identify({ parameters: searchParams, redirect_uri: REDIRECT_URI, secrets });

/** A whole sign-on. @param between what happens while the person is at the provider */
async function signOn(
  client: OpenIdProvider,
  between: (address: URL) => unknown = () => undefined,
): Promise<ProvenPerson> {
  const address = await signInAtProvider(provider, await begin(client));
  await between(address);
  return finish(client, address);
}

async function troubleOf(work: Promise<unknown>): Promise<[ProviderTrouble, string]> {
  const fault = await work.then(
    () => {
      throw new Error('It was accepted.');
    },
    (error: unknown) => error,
  );
  if (!(fault instanceof ProviderFault)) throw fault;
  expect(`${fault.message} ${fault.stack}`).not.toContain(CLIENT.secret);
  return [fault.trouble, fault.fault];
}

/** Signs an identity token with the provider's own key. */
const signed = (claims: JWTPayload, { privateKey, kid } = provider.key) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);

describe('the provider', () => {
  it('proves who somebody is, by a code with PKCE, state and nonce', async () => {
    provider.person = { sub: 'ada', amr: ['pwd', 'otp'], acr: 'urn:example:two-factors' };
    const client = connect();
    const address = new URL(await begin(client));
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid',
      state: SECRETS.state,
      nonce: SECRETS.nonce,
      code_challenge_method: 'S256',
      redirect_uri: REDIRECT_URI,
    });
    expect(address.href).not.toContain(SECRETS.code_verifier);
    const person = await finish(client, await signInAtProvider(provider, address.href));
    expect(person).toMatchObject({
      issuer: provider.issuer,
      subject: 'ada',
      email: null,
      methods: ['pwd', 'otp', 'urn:example:two-factors'],
    });
    expect(decodeJwt(person.id_token).sub).toBe('ada');
  });

  it('asks for credentials again where it is told to', async () => {
    const again = { redirect_uri: REDIRECT_URI, secrets: SECRETS, asks_again: true };
    const url = new URL(await connect().authorizationUrl(again));
    expect(url.searchParams.get('prompt')).toBe('login');
    expect(url.searchParams.get('max_age')).toBe('0');
  });

  it('is not told to ask again at any other sign-on', async () => {
    const { searchParams } = new URL(await begin(connect()));
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual([null, null]);
  });

  it('tells an e-mail only where e-mails link, and whether it is verified', async () => {
    const client = connect({ link_by_email: true });
    const emailOf = async (person: object) => {
      provider.person = { sub: 'ada', ...person };
      return (await signOn(client)).email;
    };
    const address = 'ada@example.com';
    const verified = { address, is_verified: true };
    const unverified = { address, is_verified: false };
    expect(await emailOf({ email: address, email_verified: true })).toEqual(verified);
    expect(await emailOf({ email: address, email_verified: false })).toEqual(unverified);
    expect(await emailOf({ email: address })).toEqual(unverified);
    expect(await emailOf({})).toBeNull();
  });

  it('does not count `email_verified` as a text', async () => {
    provider.changeClaims({ email: 'ada@example.com', email_verified: 'true' });
    const { email } = await signOn(connect({ link_by_email: true }));
    expect(email).toEqual({ address: 'ada@example.com', is_verified: false });
  });

  it('may change its keys between two sign-ons, and during one', async () => {
    const client = connect();
    await signOn(client);
    await provider.rotateKeys();
    await signOn(client);
    const person = await signOn(client, () => provider.rotateKeys());
    expect(person.subject).toBe(provider.person.sub);
  });

  it('names where a session ends, if it has such an address', async () => {
    const url = new URL((await connect().signOutUrl('the token', 'http://127.0.0.1:1/out'))!);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      post_logout_redirect_uri: 'http://127.0.0.1:1/out',
      id_token_hint: 'the token',
      client_id: CLIENT.id,
    });
    const long = new URL((await connect().signOutUrl('x'.repeat(5_000), 'http://127.0.0.1:1/out'))!);
    expect(long.searchParams.has('id_token_hint')).toBe(false);
    await provider.close();
    await startProvider({ discovery: { end_session_endpoint: undefined } });
    expect(await connect().signOutUrl('the token', 'http://127.0.0.1:1/out')).toBeUndefined();
  });
});

describe('a sign-on is refused', () => {
  it('with a code that was used before', async () => {
    const client = connect();
    const address = await signInAtProvider(provider, await begin(client));
    await finish(client, address);
    expect(await troubleOf(finish(client, address))).toEqual(['untrusted', 'invalid_grant']);
  });

  it('with a code of another sign-on: its PKCE differs', async () => {
    const client = connect();
    const other = { ...SECRETS, code_verifier: 'another-code-verifier-that-has-43-characters-too' };
    const address = await signInAtProvider(provider, await begin(client, other));
    expect(await troubleOf(finish(client, address))).toEqual(['untrusted', 'invalid_grant']);
  });

  it('with another state', async () => {
    const trouble = troubleOf(signOn(connect(), ({ searchParams }) => searchParams.set('state', 'another')));
    expect(await trouble).toEqual(['untrusted', 'OAUTH_INVALID_RESPONSE']);
  });

  it('with the parameter `iss` of another issuer', async () => {
    const trouble = troubleOf(signOn(connect(), ({ searchParams }) => searchParams.set('iss', OTHER_ISSUER)));
    expect(await trouble).toEqual(['untrusted', 'OAUTH_INVALID_RESPONSE']);
  });

  it.each([
    ['of another issuer', { iss: OTHER_ISSUER }],
    ['for another client', { aud: 'another client' }],
    ['for several clients, of which another asked', { aud: [CLIENT.id, 'another'], azp: 'another' }],
    ['with another nonce', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['that never ends', { exp: undefined }],
  ])('with a token %s', async (_, claims) => {
    provider.changeClaims(claims);
    expect(await troubleOf(signOn(connect()))).toEqual([
      'untrusted',
      expect.stringMatching(/^(OAUTH|subject)_/),
    ]);
  });

  it('with a token that somebody else signed under the name of the provider’s key', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const { kid } = provider.key;
    provider.tamper = async (answer) => ({
      ...answer,
      id_token: await signed(decodeJwt(answer.id_token), { privateKey, kid }),
    });
    expect(await troubleOf(signOn(connect()))).toEqual(['untrusted', 'OAUTH_INVALID_RESPONSE']);
  });

  it('with a token that nobody signed, or that the client’s secret signed', async () => {
    provider.tamper = (answer) => ({
      ...answer,
      id_token: new UnsecuredJWT(decodeJwt(answer.id_token)).encode(),
    });
    expect((await troubleOf(signOn(connect())))[0]).toBe('untrusted');
    provider.tamper = async (answer) => ({
      ...answer,
      id_token: await new SignJWT(decodeJwt(answer.id_token))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(CLIENT.secret)),
    });
    expect((await troubleOf(signOn(connect())))[0]).toBe('untrusted');
  });

  it('without an identity token', async () => {
    provider.tamper = ({ id_token: _, ...answer }) => answer as never;
    expect((await troubleOf(signOn(connect())))[0]).toBe('untrusted');
  });

  it('where the person declined', async () => {
    const client = connect();
    await begin(client);
    const address = new URL(REDIRECT_URI);
    address.search = new URLSearchParams({
      error: 'access_denied',
      state: SECRETS.state,
      iss: provider.issuer,
    }).toString();
    address.searchParams.set('error_description', '<script>alert(1)</script>');
    expect(await troubleOf(finish(client, address))).toEqual(['declined', 'access_denied']);
  });
});

describe('clocks that differ', () => {
  it('by less than a minute are accepted', async () => {
    await provider.close();
    await startProvider({ token_seconds: 30 });
    const ahead = await signOn(connect(), () => clock.advance(80_000));
    expect(ahead.subject).toBe(provider.person.sub);
    clock.advance(-130_000);
    provider.changeClaims({ nbf: Math.floor(systemClock.now() / 1_000) });
    expect((await signOn(connect())).subject).toBe(provider.person.sub);
  });

  it('by more are refused: the token has expired, or is not valid yet', async () => {
    await provider.close();
    await startProvider({ token_seconds: 30 });
    const expired = troubleOf(signOn(connect(), () => clock.advance(100_000)));
    expect(await expired).toEqual(['untrusted', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED']);
    clock.advance(-200_000);
    provider.changeClaims({ nbf: Math.floor(systemClock.now() / 1_000) });
    expect(await troubleOf(signOn(connect()))).toEqual(['untrusted', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED']);
  });
});

describe('a provider that does not work', () => {
  it.each(['down', 'failing'] as const)(
    'is named unreachable while it is %s, and is asked again',
    async (state) => {
      const client = connect();
      provider.state = state;
      expect((await troubleOf(begin(client)))[0]).toBe('unreachable');
      provider.state = 'up';
      await signOn(client);
      expect((await troubleOf(signOn(client, () => (provider.state = state))))[0]).toBe('unreachable');
    },
  );

  it('is given up after 3 s without an answer', async () => {
    provider.state = 'silent';
    const trouble = troubleOf(begin(connect()));
    await waitForRequest();
    clock.advance(3_000);
    expect(await trouble).toEqual(['unreachable', 'too_late']);
  });

  it('is noticed within a minute after it answered', async () => {
    const client = connect();
    await begin(client);
    provider.state = 'down';
    await begin(client);
    clock.advance(60_000);
    expect((await troubleOf(begin(client)))[0]).toBe('unreachable');
  });

  it('is asked once by sign-ons that begin together', async () => {
    const client = connect();
    await Promise.all([begin(client), begin(client), begin(client)]);
    expect(provider.requests).toEqual(['GET /.well-known/openid-configuration']);
  });

  it.each([
    ['describes another issuer', { issuer: OTHER_ISSUER }, 'other_issuer'],
    ['has no address for codes', { token_endpoint: undefined }, 'endpoint_missing'],
    ['has no address for sign-ins', { authorization_endpoint: undefined }, 'endpoint_missing'],
    [
      'leads to the metadata of a cloud',
      { token_endpoint: 'http://169.254.169.254/token' },
      'address_refused',
    ],
  ])('and %s is named misconfigured', async (_, discovery, fault) => {
    await provider.close();
    await startProvider({ discovery });
    expect(await troubleOf(signOn(connect()))).toEqual(['misconfigured', fault]);
  });

  it('is named misconfigured where it does not know the client’s secret', async () => {
    const client = connect({ client_secret: 'another secret' });
    expect(await troubleOf(signOn(client))).toEqual(['misconfigured', 'client_refused']);
  });

  it('is named misconfigured where nothing describes it', async () => {
    const client = connect({ issuer: `${provider.issuer}/nowhere` });
    expect(await troubleOf(begin(client))).toEqual(['misconfigured', 'unexpected_status']);
  });
});

async function waitForRequest(): Promise<void> {
  while (provider.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
}
