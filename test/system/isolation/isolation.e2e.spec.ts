import { errorBody, errorOf } from '#kernel/errors/api-error.js';
import { OPERATOR_ROLES } from '#kernel/principals.js';
import type { ErrorCode } from '#kernel/errors/error-codes.js';
import type { Answer } from '../../support/http-client.js';
import { expiredIn, type Presented, presentedIn } from './support/credentials.js';
import { firstOfEachKind, type Route, routerRoutes, routesOf, tenantsFirst } from './support/routes.js';
import { aboutAnother, learnRequest, type ValidRequest } from './support/valid-requests.js';
import { type Holding, OPERATOR, World } from './support/world.js';

/** Routes that everybody may call. All others need a credential. */
const PUBLIC = [
  /^GET (\/api(\/v[12])?)?\/health(\/ready)?$/,
  /^POST \/api(\/v[12])?\/auth\/(phone|verify-otp)$/,
  /^POST \/api\/operator\/sessions$/,
  /^GET \/($|docs|metrics$|api\/v[12]\/openapi\.json$)/,
];
/** The same of the dashboard: what is there before there is a session, and what says of an address that it leads nowhere. */
const PUBLIC_PAGES = [
  'GET /',
  'GET /dashboard/*path',
  'GET /dashboard/assets/:asset',
  'GET /dashboard/join/:token',
  'GET /dashboard/join/:token/sign-on',
  'GET /dashboard/sign-in',
  'GET /dashboard/sign-on',
  'GET /dashboard/sign-on/callback',
  'GET /dashboard/sign-on/finish',
  'GET /dashboard/summary/stop/:token',
  'GET /docs',
  'GET /docs/assets/:asset',
  'GET /metrics',
  'POST /dashboard/join/:token',
  'POST /dashboard/sign-in',
  'POST /dashboard/sign-in/code',
  'POST /dashboard/summary/stop/:token',
];
/** Kinds of caller for which this file knows credentials that hold and ones that do not. */
const KINDS: readonly string[] = ['api_token', 'operator', 'tenant'];

let world: World;
let presented: Presented[];
let routes: Route[];
let pages: Route[];
let bare: string[];
/** One good request for each route, about what the home company holds. */
let requests: ValidRequest[];

beforeAll(async () => {
  world = await World.open();
  const expired = await expiredIn(world);
  await world.settle();
  ({ routes, pages, bare } = routesOf(world.app.application));
  const learned: ValidRequest[] = [];
  for (const route of tenantsFirst(routes)) learned.push(await learnRequest(world, route));
  const from = world.home;
  // Learning has used everything up: what is tested is about a company that has just opened.
  await world.settle();
  presented = [...expired, ...(await presentedIn(world))];
  requests = learned.map((request) => aboutAnother(request, from, world.home));
});
afterAll(async () => {
  await world.close();
  expect(world.app.failures).toEqual([]);
});

function send(
  { route, path, body }: ValidRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return world.call(route.method, path, { headers, ...(body === undefined ? {} : { body }) });
}
const as = (token: string) => ({ Authorization: `Bearer ${token}` });
const admitting = (kind: string) =>
  requests.filter(({ route }) => route.admitted.some((one) => one === kind));

/** Everything that the home company's callers can read, as they read it. */
async function homeAsRead(): Promise<string[]> {
  const read: string[] = [];
  for (const request of requests) {
    const [kind] = request.route.admitted;
    if (request.route.method !== 'get' || kind === undefined) continue;
    const headers = presented.find((one) => one.kind === kind)!.headers;
    const { status, text } = await send(request, headers);
    read.push(`${request.path} ${status} ${withoutOwnTraces(text)}`);
  }
  return read;
}

/** Reading what a lock or a reader is set up with leaves an event. The feed and a history tell of it. */
function withoutOwnTraces(text: string): string {
  if (!/"(entries|next_after)":/.test(text)) return text;
  const { data } = JSON.parse(text) as {
    data: { entries?: readonly { type: string }[]; next_after?: string };
  };
  const entries = data.entries?.filter(({ type }) => type !== 'EntryPointProvisioned');
  return JSON.stringify({ ...data, entries, next_after: undefined });
}

/** Runs attempts that must leave no trace, and tells the ones that did or that were answered otherwise than they must. */
async function untouched(attempts: () => Promise<string[]>): Promise<string[]> {
  const before = await homeAsRead();
  const events = (await world.app.events()).length;
  world.writes.take();
  const faults = await attempts();
  const written = world.writes.take();
  expect({ written, events: (await world.app.events()).length }).toEqual({ written: [], events });
  expect(await homeAsRead()).toEqual(before);
  return faults;
}

/** Reads that concern every company: an admin of some companies is refused. */
const ALL_COMPANIES = /\/views\/rebuild$/;

describe('the route table', () => {
  it('has no route without a controller, where nothing is guarded', () => {
    expect(bare).toEqual([]);
  });

  it('tries the routes of PMSs and tenants first, because Express tries one after the other', () => {
    const names = routerRoutes(world.app.application);
    const places = (part: string) => names.flatMap((name, place) => (name.includes(part) ? place : []));
    const operators = Math.min(...places('/api/operator/'), ...places(' /dashboard'));
    expect(Math.max(...places('/tenant/access'), ...places('/units/:crm_unit_id/tenancy'))).toBeLessThan(
      operators,
    );
  });

  it('names many routes, so that what follows is about something', () => {
    expect(routes.length).toBeGreaterThan(70);
    expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
  });

  it('admits only kinds of caller that are tested here', () => {
    const unknown = routes.filter(({ admitted }) => admitted.some((kind) => !KINDS.includes(kind)));
    expect(unknown.map(({ name, admitted }) => `${name} ${admitted.join()}`)).toEqual([]);
    expect(new Set(presented.flatMap(({ kind }) => kind ?? []))).toEqual(new Set(KINDS));
  });

  it('is open to everybody only where this file says so', () => {
    const open = routes.filter(({ admitted }) => admitted.length === 0).map(({ name }) => name);
    expect(open.filter((name) => !PUBLIC.some((known) => known.test(name)))).toEqual([]);
    const openPages = pages.filter(({ admitted }) => admitted.length === 0).map(({ name }) => name);
    expect(openPages.sort()).toEqual(PUBLIC_PAGES);
  });
});

/**
 * Made-up credentials are tried at one route of each kind and at a fifth of the others. All other credentials are
 * tried at every route.
 */
function* refusedAttempts(): Generator<readonly [Presented, ValidRequest]> {
  const typical = firstOfEachKind(routes);
  for (const [turn, one] of presented.entries()) {
    for (const [place, request] of requests.entries()) {
      const { admitted } = request.route;
      const isRefused = admitted.length > 0 && !admitted.some((kind) => kind === one.kind);
      const isTried = !one.isForged || typical.has(request.route) || (turn + place) % 5 === 0;
      if (isRefused && isTried) yield [one, request];
    }
  }
}

/** It tells what the route takes, and nothing of the credential. */
const HINT =
  /^(Send the header "Authorization: Bearer TOKEN" with|The token is unknown, has ended, or is for other routes\. Send) (an API token of the company|the token of (an operator|a tenant)’s sign-in)( or [^.]*)?\.$|^The Authorization header is not "Bearer TOKEN"\.$|^The session has ended\. Sign in again\.$/;

describe('a credential that does not hold for a route', () => {
  it('is refused by every route alike, whatever else the request brings, and nothing is written', async () => {
    let tried = 0;
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const [{ name, headers }, request] of refusedAttempts()) {
        const answer = await send(request, headers);
        const { hint, ...body } = answer.body as { hint: string };
        const told = `${answer.status} ${JSON.stringify(body)} ${answer.headers['www-authenticate']}`;
        if (told !== '401 {"message":"Unauthorized.","code":"unauthorized"} Bearer' || !HINT.test(hint))
          found.push(`${request.route.name}, ${name}: ${told}`);
        if (answer.headers['x-request-id'] === undefined) found.push(`${request.route.name}: no request id`);
        tried++;
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(2_000);
  });

  it('is refused before the body is read and before a key is looked up', async () => {
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const { route, path } of requests) {
        if (route.admitted.length === 0) continue;
        const headers = { 'Content-Type': 'text/plain', 'Idempotency-Key': 'k'.repeat(300) };
        const answer = await world.call(route.method, path, { body: '{"broken', headers });
        if (answer.status !== 401) found.push(`${route.name}: ${answer.status}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
  });

  it('is not taken from anywhere but its header', async () => {
    const { token } = world.home;
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const request of admitting('api_token')) {
        const path = `${request.path}${request.path.includes('?') ? '&' : '?'}access_token=${token}&token=${token}`;
        const headers = {
          'X-Api-Key': token,
          'Proxy-Authorization': `Bearer ${token}`,
          Cookie: `token=${token}`,
        };
        const { status } = await send({ ...request, path }, headers);
        if (status !== 401) found.push(`${request.route.name}: ${status}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
  });
});

/** Status and text of the answer for a code: the same for a thing of others as for one that does not exist. */
function toldOf(code: ErrorCode): string {
  const error = errorOf(code);
  return `${error.status} ${JSON.stringify(errorBody(error))}`;
}

describe('an API token that may only read', () => {
  it('is forbidden every write, and nothing is written', async () => {
    const tokens = `/companies/${world.home.company_id}/api-tokens`;
    const { token } = await world.operate(201, 'post', tokens, { name: 'reads', scope: 'read' });
    // Its first use is noted.
    await world.call('get', '/api/v2/units', { token });
    let writes = 0;
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const request of admitting('api_token')) {
        // A comparison is sent and writes nothing.
        const { method, path } = request.route;
        const isRead = method === 'get' || path.endsWith('/compare');
        const { status, body } = await send(request, as(token));
        if (!isRead) writes += 1;
        const hint = isRead ? undefined : 'This API token may only read. Use one of scope `write`.';
        if (status !== (isRead ? 200 : 403) || body.hint !== hint)
          found.push(`${request.route.name}: ${status} ${body.hint}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(writes).toBeGreaterThanOrEqual(4);
  });
});

describe('an operator', () => {
  const operated = () => admitting('operator').filter(({ route }) => route.admitted.length === 1);

  it.each([
    ['auditor', 1],
    ['manager', 2],
  ] as const)('who is %s is forbidden what asks for more, and nothing is written', async (role, mayDo) => {
    const token = await world.operatorOf(role, null);
    const more = operated().filter(({ route }) => OPERATOR_ROLES.indexOf(route.role!) >= mayDo);
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const request of more) {
        const { status, text } = await send(request, as(token));
        if (`${status} ${text}` !== '403 {"message":"Forbidden.","code":"forbidden"}') {
          found.push(`${request.route.name}: ${status} ${text}`);
        }
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(more.length).toBeGreaterThanOrEqual(7);
  });

  it('may write only as a manager, and give rights only as an admin', () => {
    const least = (path: RegExp, methods: readonly string[]) =>
      new Set(
        operated()
          .filter(({ route }) => path.test(route.path) && methods.includes(route.method))
          .map(({ route }) => route.role),
      );
    // A backtest is sent and writes nothing.
    const others =
      /^\/api\/operator\/(?!sessions?\b|operators\b|.*api-tokens|.*provisioning|.*policy-backtest)/;
    expect(least(others, ['put', 'post', 'patch', 'delete'])).not.toContain('auditor');
    expect(least(/operators\b|api-tokens|provisioning/, ['get', 'put', 'post', 'patch', 'delete'])).toEqual(
      new Set(['admin']),
    );
  });

  it('of another company finds nothing of this one, and nothing is written', async () => {
    const token = await world.operatorOf('admin', [world.other.company_id]);
    const secrets = [...secretsOf(world.home), world.home.spare_operator_id, 'HOME-'];
    const naming = operated().filter(({ path }) => secrets.some((secret) => path.includes(secret)));
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const request of naming) {
        const { status, text, body } = await send(request, as(token));
        const code = body.code as ErrorCode;
        if (!/_not_found$/.test(code) || `${status} ${text}` !== toldOf(code))
          found.push(`${request.route.name}: ${status} ${text}`);
      }
      for (const request of operated()) {
        if (naming.includes(request) || request.route.method !== 'get') continue;
        const answer = await send(request, as(token));
        const leaked = leaks(answer, secrets);
        const status = ALL_COMPANIES.test(request.route.name) ? 403 : 200;
        if (answer.status !== status) found.push(`${request.route.name}: ${answer.status}`);
        if (leaked.length > 0) found.push(`${request.route.name} tells ${leaked.join()}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(naming.length).toBeGreaterThanOrEqual(35);
  });

  it('of some companies lists their units, and none under the name of another company', async () => {
    const token = await world.operatorOf('auditor', [world.other.company_id]);
    const units = async (query: string) => {
      const { status, body } = await world.call('get', `/api/operator/units${query}`, { token });
      return status === 200 ? body.data.units.map((one: { crm_unit_id: string }) => one.crm_unit_id) : status;
    };
    const { company_id, location_id } = world.home;
    expect(await units('')).toEqual(expect.arrayContaining(['OTHER-A', 'OTHER-B']));
    expect(await units(`?company_id=${company_id}`)).toBe(404);
    expect(await units(`?location_id=${location_id}`)).toBe(404);
    expect(await units('?q=HOME')).toEqual([]);
  });

  it('of several companies pages through theirs alone, and no cursor names another', async () => {
    const { company_id: mine } = await world.operate(201, 'post', '/companies', { name: 'Third' });
    const token = await world.operatorOf('auditor', [world.other.company_id, mine]);
    const pages: string[][] = [];
    for (let cursor = ''; ;) {
      const { body } = await world.call('get', `/api/operator/units?limit=1${cursor}`, { token });
      pages.push(body.data.units.map((one: { crm_unit_id: string }) => one.crm_unit_id));
      const next = body.data.next_cursor as string | null;
      if (next === null) break;
      const named = Buffer.from(next, 'base64url').toString('latin1');
      for (const secret of secretsOf(world.home)) expect(named).not.toContain(secret);
      expect(named).not.toContain('HOME');
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    expect(pages.every(({ length }) => length === 1)).toBe(true);
    expect(pages.flat()).toEqual(expect.arrayContaining(['OTHER-A', 'OTHER-B']));
    expect(pages.flat().every((name) => name.startsWith('OTHER'))).toBe(true);
  });

  it('of some companies makes no company and gives nobody more than that', async () => {
    const token = await world.operatorOf('admin', [world.other.company_id]);
    const operate = (method: 'post' | 'patch', path: string, body: object) =>
      world.call(method, `/api/operator${path}`, { token, body });
    const made = { email: 'made@example.com', password: 'a long enough password', role: 'admin' };
    const answers = [
      await operate('post', '/companies', { name: 'Mine' }),
      await operate('post', '/operators', made),
      await operate('post', '/operators', { ...made, companies: [world.home.company_id] }),
      await operate('patch', `/operators/${world.other.spare_operator_id}`, { companies: null }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 422, 422, 422]);
    const added = await operate('post', '/operators', { ...made, companies: [world.other.company_id] });
    expect(added.status).toBe(201);
  });
});

/** Parts of a holding that others must never see. */
function secretsOf({ ada, bob, invitation, ...holding }: Holding): string[] {
  const { company_id, spare_token_id, location_id, location_code } = holding;
  const { pull_source_id, webhook_id, delivery_id } = holding;
  const secrets = [company_id, spare_token_id, location_id, location_code];
  secrets.push(pull_source_id, webhook_id, delivery_id, invitation.share_id);
  for (const { tenant_id, phone, crm_unit_id, unit_id, pass_id, ...equipment } of [ada, bob]) {
    secrets.push(tenant_id, phone.phone_number, crm_unit_id, unit_id, pass_id);
    secrets.push(equipment.lock_id, equipment.zone_id, equipment.entry_point_id);
  }
  return secrets;
}
const leaks = (answer: Answer, secrets: readonly string[]) =>
  secrets.filter((secret) => answer.text.includes(secret) || JSON.stringify(answer.headers).includes(secret));

describe('another company', () => {
  it.each([
    ['the integrator’s identifier', (path: string) => path],
    [
      'the service’s identifier',
      (path: string) => path.replace(/\/HOME-A(?=[/?]|$)/, `/ulid:${world.home.ada.unit_id}`),
    ],
  ])('sees and changes no unit under %s', async (_name, rename) => {
    const attempts = admitting('api_token').filter(({ path }) => path.includes('/HOME-A'));
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const request of attempts) {
        const path = rename(request.path);
        // A move-in under an identifier that the caller's company does not have makes a unit of its own: below.
        if (path === request.path && request.route.method === 'put') continue;
        const { status, text } = await send({ ...request, path }, as(world.other.token));
        if (`${status} ${text}` !== toldOf('unit_not_found')) {
          found.push(`${request.route.name}: ${status} ${text}`);
        }
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(attempts.length).toBeGreaterThanOrEqual(6);
  });

  it('is told nothing of the other by any route', async () => {
    const secrets = [...secretsOf(world.home), 'HOME-'];
    const faults: string[] = [];
    for (const request of admitting('api_token')) {
      if (request.route.path.includes(':') || request.route.method !== 'get') continue;
      const leaked = leaks(await send(request, as(world.other.token)), secrets);
      if (leaked.length > 0) faults.push(`${request.route.name} tells ${leaked.join()}`);
    }
    expect(faults).toEqual([]);
  });

  it('cannot place its units in a location that is not its own', async () => {
    const unit = { crm_unit_id: 'X-1', occupied: false, pms_location_code: world.home.location_code };
    const call = { body: { units: [unit] }, token: world.other.token };
    const { data } = (await world.call('patch', '/api/v2/units', call)).body;
    expect([data.created, data.errors.map((error: { crm_unit_id: string }) => error.crm_unit_id)]).toEqual([
      0,
      ['X-1'],
    ]);
  });

  it('is not shown the units of another in a list, whatever it asks for', async () => {
    const queries = [
      '',
      '?limit=500',
      `?pms_location_code=${world.home.location_code}`,
      '?state=tenant_permitted',
    ];
    const home = await world.call('get', '/api/v2/units?limit=1', { token: world.home.token });
    const cursor = home.body.data.next_cursor as string;
    queries.push(`?cursor=${encodeURIComponent(cursor)}`, `?cursor=${encodeURIComponent(cursor)}&limit=500`);
    const faults: string[] = [];
    for (const query of queries) {
      const answer = await world.call('get', `/api/v2/units${query}`, { token: world.other.token });
      const leaked = leaks(answer, [...secretsOf(world.home), 'HOME-']);
      if (leaked.length > 0) faults.push(`${query} tells ${leaked.join()}`);
    }
    expect(faults).toEqual([]);
  });

  it('does not get the stored answer of another’s Idempotency-Key', async () => {
    const request = { body: { balance_due: 7 }, headers: { 'Idempotency-Key': 'same-key' } };
    const path = `/api/v2/units/${world.home.bob.crm_unit_id}`;
    const first = await world.call('patch', path, { ...request, token: world.home.token });
    const second = await world.call('patch', path, { ...request, token: world.other.token });
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([
      200,
      404,
      undefined,
    ]);
  });

  it('has units of its own under the same identifiers', async () => {
    // Operators see every company's units.
    const push = async () => (await homeAsRead()).filter((read) => read.startsWith('/api/v2/'));
    const before = await push();
    world.writes.take();
    for (const request of admitting('api_token')) {
      if (!['put', 'patch'].includes(request.route.method)) continue;
      // The one location of the company is meant where none is named.
      const body = request.body && { ...request.body, pms_location_code: undefined };
      const { status } = await send({ ...request, body }, as(world.other.token));
      expect([request.route.name, status < 300]).toEqual([request.route.name, true]);
    }
    const written = world.writes.take();
    expect(written.filter((write) => write.includes(world.other.company_id))).not.toEqual([]);
    expect(written.filter((write) => write.includes(world.home.company_id))).toEqual([]);
    expect(await push()).toEqual(before);
  });
});

describe('another tenant', () => {
  /** The requests of a tenant that name something, about somebody else's thing. */
  const about = (to: Holding) =>
    admitting('tenant').flatMap((request) => {
      const moved = aboutAnother(request, world.home, to);
      return moved.path === request.path && JSON.stringify(moved.body) === JSON.stringify(request.body)
        ? []
        : [moved];
    });

  it.each<[string, () => Holding, (kind: 'lock' | 'entry_point') => ErrorCode]>([
    [
      'of the same company is forbidden',
      () => ({ ...world.home, ada: world.home.bob }),
      () => 'no_access_then',
    ],
    ['of another company does not exist', () => world.other, (kind) => `${kind}_not_found`],
  ])('a lock or entry point %s', async (_name, holding, expected) => {
    const token = await world.tenantToken(world.home.ada.account);
    const attempts = about(holding()).filter(({ path }) => !path.includes('/shares'));
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const request of attempts) {
        const answer = await send(request, as(token));
        const kind = request.route.path.includes('/entry-points/') ? 'entry_point' : 'lock';
        const told = `${answer.status} ${answer.text}`;
        if (told !== toldOf(expected(kind))) found.push(`${request.route.name}: ${told}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(attempts.length).toBeGreaterThanOrEqual(9);
  });

  it('of another company has no unit to share, and no invitation', async () => {
    const token = await world.tenantToken(world.home.ada.account);
    const attempts = about(world.other).filter(({ path }) => path.includes('/shares'));
    const faults = await untouched(async () => {
      const found: string[] = [];
      for (const request of attempts) {
        const { status, body, text } = await send(request, as(token));
        const isOffer = request.path.endsWith('/shares');
        const told = isOffer ? `${status} ${Object.keys(body.errors).join()}` : `${status} ${text}`;
        if (told !== (isOffer ? '422 unit_id' : toldOf('share_not_found')))
          found.push(`${request.route.name}: ${told}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(attempts).toHaveLength(3);
  });

  it('is told nothing of in what a tenant may open', async () => {
    const token = await world.tenantToken(world.home.ada.account);
    const others = [...secretsOf(world.other), ...secretsOf({ ...world.home, ada: world.home.bob }).slice(4)];
    for (const prefix of ['/api/v2', '/api/v1', '/api']) {
      const answer = await world.call('get', `${prefix}/tenant/access`, { token });
      expect(answer.body.data.units).toHaveLength(1);
      expect(leaks(answer, others)).toEqual([]);
    }
  });

  it('can no longer be read after a move-out, by the token that could', async () => {
    const dan = await world.renter(world.home, 'HOME-D');
    const token = await world.tenantToken(dan.account);
    await world.call('delete', '/api/v2/units/HOME-D/tenancy', { token: world.home.token });
    const { body } = await world.call('get', '/api/v2/tenant/access', { token });
    expect([body.data.units, body.data.entry_points]).toEqual([[], []]);
  });
});

describe('the requests that were refused', () => {
  it('are ones that do their work under the right credential', async () => {
    const faults: string[] = [];
    // An e-mail is of one operator, whatever the company: the one who was made to learn the request goes.
    const { operators } = await world.operate(200, 'get', '/operators');
    for (const { operator_id, email } of operators) {
      if (email.endsWith(`-${OPERATOR.email}`))
        await world.operate(200, 'delete', `/operators/${operator_id}`);
    }
    // Public routes refused nobody, and their limits per phone number count the requests that were tried on them.
    for (const request of requests.filter(({ route }) => route.admitted.length > 0)) {
      const [kind] = request.route.admitted;
      const { status } = await send(request, as(await world.credential(kind!)));
      if (status !== request.status) faults.push(`${request.route.name}: ${status}, not ${request.status}`);
    }
    expect(faults).toEqual([]);
  });
});
