import { createHash } from 'node:crypto';
import { OPERATOR_COOKIE } from '#web/authentication.js';
import type { PrincipalKind } from '#kernel/principals.js';
import { demand } from '../../../support/service.js';
import type { World } from './world.js';

/** Credentials that a caller may present. */
export interface Presented {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The only kind of route that it is good for; undefined where it is good for nothing. */
  readonly kind?: PrincipalKind;
  /** Made up, and no credential of anybody at any time. */
  readonly isForged?: true;
}

/** Days after which every tenant token and every operator session of before has ended. */
const LONG = 31 * 24 * 60 * 60_000;

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ Cookie: `${OPERATOR_COOKIE}=${token}` });
const hash = (token: string) => createHash('sha256').update(token).digest('hex');

/** Credentials that time has ended: moves the world's clock. */
export async function expiredIn(world: World): Promise<Presented[]> {
  await world.settle();
  const expired = [
    { name: 'an expired tenant token', headers: bearer(await world.credential('tenant')) },
    { name: 'an expired operator session', headers: bearer(await world.credential('operator')) },
    { name: 'an expired operator cookie', headers: cookie(await world.credential('operator')) },
  ];
  world.app.manualClock.advance(LONG);
  return expired;
}

/** Every other kind of credential: the good ones, which most routes must refuse as well, and those for no route. */
export async function presentedIn(world: World): Promise<Presented[]> {
  const api = world.home.token;
  const tenant = await world.credential('tenant');
  const operator = await world.credential('operator');
  return [
    ...(await endedCredentials(world)),
    { name: 'nothing', headers: {} },
    ...forgeries({ api, tenant, operator }).map((one) => ({ ...one, isForged: true as const })),
    { name: 'an API token', kind: 'api_token', headers: bearer(api) },
    { name: 'a tenant token', kind: 'tenant', headers: bearer(tenant) },
    { name: 'an operator session', kind: 'operator', headers: bearer(operator) },
    { name: 'an operator cookie', kind: 'operator', headers: cookie(operator) },
  ];
}

/** Credentials that were good, and were used, until somebody ended them. */
async function endedCredentials(world: World): Promise<Presented[]> {
  const { home } = world;
  const tokens = `/companies/${home.company_id}/api-tokens`;
  const api = await world.operate(201, 'post', tokens, { name: 'to be revoked' });
  demand(200, await world.call('get', '/api/v2/units', { token: api.token }));
  await world.operate(200, 'delete', `${tokens}/${api.token_id}`);

  const session = await world.credential('operator');
  demand(200, await world.call('get', '/api/operator/companies', { token: session }));
  demand(200, await world.call('delete', '/api/operator/sessions', { token: session }));

  const access = '/api/v2/tenant/access';
  const loggedOut = await world.credential('tenant');
  demand(200, await world.call('get', access, { token: loggedOut }));
  await world.call('post', '/api/v2/auth/logout', { token: loggedOut });

  const cyd = await world.renter(home, 'HOME-C');
  const erased = await world.tenantToken(cyd.account);
  demand(200, await world.call('get', access, { token: erased }));
  await world.operate(200, 'delete', `/tenants/${cyd.tenant_id}/personal-data`);
  return [
    { name: 'a revoked API token', headers: bearer(api.token) },
    { name: 'an ended operator session', headers: bearer(session) },
    { name: 'the token of a tenant who logged out', headers: bearer(loggedOut) },
    { name: 'the token of an erased tenant', headers: bearer(erased) },
  ];
}

type Good = Readonly<Record<'api' | 'tenant' | 'operator', string>>;

/** Values that no route may accept as a credential. */
function forgeries({ api, tenant, operator }: Good): Presented[] {
  const header = (name: string, Authorization: string) => ({ name, headers: { Authorization } });
  const random = Buffer.alloc(32, 7).toString('base64url');
  const forged = [
    header('an empty header', ''),
    header('a scheme without a token', 'Bearer'),
    header('two spaces', `Bearer  ${api}`),
    header('a second word', `Bearer ${api} ${api}`),
    header('a list of credentials', `Bearer ${api}, Bearer ${operator}`),
    header('another scheme', `Token ${api}`),
    header('basic authentication', `Basic ${Buffer.from(`${api}:`).toString('base64')}`),
    header('a bare token', api),
    header('a random token', `Bearer ${random}`),
    header('a random token with the prefix of a good one', `Bearer ${api.slice(0, -random.length)}${random}`),
    header('a token of 600 characters', `Bearer ${'a'.repeat(600)}`),
    header('text that is no token', 'Bearer {"$gt":""}'),
    header('padding', `Bearer ${api}=`),
  ];
  for (const [name, token] of Object.entries({ api, tenant, operator })) {
    const swapped = token.replace(/[a-z]/i, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase()));
    forged.push(
      header(`the ${name} credential without its last character`, `Bearer ${token.slice(0, -1)}`),
      header(`the ${name} credential in another case`, `Bearer ${swapped}`),
      header(`the hash of the ${name} credential`, `Bearer ${hash(token)}`),
    );
  }
  return [
    ...forged,
    { name: 'an API token as the cookie', headers: cookie(api) },
    { name: 'a tenant token as the cookie', headers: cookie(tenant) },
    { name: 'a cookie with a bad header beside it', headers: { ...cookie(operator), ...bearer(random) } },
    ...['cross-site', 'same-site'].map((site) => ({
      name: `a cookie that a ${site} page sends`,
      headers: { ...cookie(operator), 'Sec-Fetch-Site': site },
    })),
  ];
}
