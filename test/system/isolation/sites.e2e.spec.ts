import { errorBody, errorOf } from '#kernel/errors/api-error.js';
import type { ErrorCode } from '#kernel/errors/error-codes.js';
import { OPERATOR_ROLES } from '#kernel/principals.js';
import { OPERATOR_COOKIE } from '#web/authentication.js';
import { ThingOwners } from '#api/operator/index.js';
import type { Answer } from '../../support/http-client.js';
import { demand } from '../../support/service.js';
import { fillPath, type Route, routesOf } from './support/routes.js';
import { aboutAnother, learnRequest, type ValidRequest } from './support/valid-requests.js';
import { type Holding, World } from './support/world.js';

/** What operators of sites are refused: it belongs to a company as a whole. A new line needs a reason. */
const REFUSED = [
  /\/(operators|api-tokens|webhooks|pull-sources|clock|messages|rebuild|audit)\b/,
  /^POST \/(api\/operator|dashboard)\/companies$/,
  /^POST \/(api\/operator|dashboard)\/companies\/:company_id\/locations$/,
];

/** What is still closed to them. */
const LATER = [
  /^GET \/api\/operator\/(companies|companies\/:company_id(\/today|\/changes)?|units|tenants)$/,
  /^GET \/dashboard(\/find.*|\/companies.*)?$/,
];

let world: World;
let api: Route[];
let pages: Route[];
/** One good request for each route of operators, about the site that is theirs. */
let requests: ValidRequest[];
let mine: Holding;
/** Another location of the same company. */
let next: Holding;
/** A manager of `mine` alone. */
let token: string;

beforeAll(async () => {
  world = await World.open();
  await world.settle();
  const { routes, pages: all } = routesOf(world.app.application);
  api = routes.filter(({ admitted }) => admitted.includes('operator'));
  pages = all.filter(({ admitted }) => admitted.includes('operator'));
  const learned: ValidRequest[] = [];
  for (const route of api.filter(({ admitted }) => admitted.length === 1))
    learned.push(await learnRequest(world, route));
  const from = world.home;
  // Learning has used everything up.
  await world.settle();
  mine = world.home;
  next = await world.secondSite('NEXT');
  for (const site of [mine, next]) await makeTrouble(site);
  requests = learned.map((request) => aboutAnother(request, from, mine));
  token = await world.operatorOfSite('manager', mine);
});
afterAll(async () => {
  await world.close();
  expect(world.app.failures).toEqual([]);
});

/** Something for every list of Today: a lockout, an opening all the same, a failure, a low battery, a rejected row. */
async function makeTrouble({ token: pms, ada, bob, location_code }: Holding): Promise<void> {
  const late = { balance_due: 90, paid_through_date: '2025-11-01', pms_lockout: true };
  demand(200, await world.call('patch', `/api/v2/units/${ada.crm_unit_id}`, { body: late, token: pms }));
  for (const { account, lock_id } of [ada, bob]) {
    const report = {
      event: 'unlock',
      result: 'failure',
      failure_code: 'lock_jammed',
      occurred_at: new Date(world.app.clock.now()).toISOString(),
      battery_percent: 3,
    };
    const as = await world.tenantToken(account);
    await world.call('post', `/api/v2/locks/${lock_id}/logs`, { body: report, token: as });
  }
  const rejected = { crm_unit_id: bob.crm_unit_id, occupied: 'perhaps', pms_location_code: location_code };
  await world.call('patch', '/api/v2/units', { body: { units: [rejected] }, token: pms });
}

const as = (credential: string) => ({ Authorization: `Bearer ${credential}` });
const cookie = (credential: string) => ({ Cookie: `${OPERATOR_COOKIE}=${credential}` });
const send = ({ route, path, body }: ValidRequest, headers: Readonly<Record<string, string>>) =>
  world.call(route.method, path, { headers, ...(body === undefined ? {} : { body }) });

/** What nobody of another site may read. */
function secretsOf({ ada, bob, location_id, location_code }: Holding): string[] {
  const secrets = [location_id, location_code];
  for (const { tenant_id, phone, crm_unit_id, unit_id, lock_id, zone_id, entry_point_id } of [ada, bob])
    secrets.push(tenant_id, phone.phone_number, crm_unit_id, unit_id, lock_id, zone_id, entry_point_id);
  return secrets;
}
/** Also what belongs to the company as a whole, and the names of the other company. */
const hidden = () => [
  ...secretsOf(next),
  ...secretsOf(world.other),
  'NEXT',
  'OTHER',
  mine.spare_token_id,
  mine.spare_operator_id,
  mine.pull_source_id,
  mine.webhook_id,
];
const leaks = ({ text, headers }: Answer) =>
  hidden().filter((secret) => text.includes(secret) || JSON.stringify(headers).includes(secret));

function toldOf(code: ErrorCode): string {
  const error = errorOf(code);
  return `${error.status} ${JSON.stringify(errorBody(error))}`;
}
const parametersOf = ({ path }: Route) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
const ofRole = ({ role }: Route) => OPERATOR_ROLES.indexOf(role!) <= OPERATOR_ROLES.indexOf('manager');
const isIn = (access: Route['siteAccess']) => (route: Route) => ofRole(route) && route.siteAccess === access;

/** Runs attempts that must not write anything. */
async function unwritten(attempts: () => Promise<string[]>): Promise<string[]> {
  world.writes.take();
  const faults = await attempts();
  expect(world.writes.take()).toEqual([]);
  return faults;
}

describe('every route and page for operators', () => {
  it('declares how it serves operators of sites', () => {
    const silent = api.filter(({ siteAccess }) => siteAccess === undefined);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('refuses them only what belongs to a company as a whole', () => {
    const refused = [...api, ...pages].filter(({ siteAccess }) => siteAccess === 'refused');
    const others = refused.filter(({ name }) => ![...REFUSED, ...LATER].some((known) => known.test(name)));
    expect(others.map(({ name }) => name)).toEqual([]);
    const open = [...api, ...pages].filter(
      ({ siteAccess, name }) => siteAccess !== 'refused' && REFUSED.some((known) => known.test(name)),
    );
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('names a thing of a site in its path, if that decides', () => {
    const { owners: all } = world.app.part(ThingOwners);
    const owners = Object.keys(all).filter((name) => name !== 'company_id');
    const unnamed = [...api, ...pages].filter(
      (route) => route.siteAccess === 'named' && !parametersOf(route).some((name) => owners.includes(name)),
    );
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });
});

describe('an operator of one site, at the API', () => {
  it('is refused what belongs to a company as a whole, and nothing is written', async () => {
    const refused = requests.filter(({ route }) => route.siteAccess === 'refused');
    const faults = await unwritten(async () => {
      const found: string[] = [];
      for (const request of refused) {
        const { status, text } = await send(request, as(token));
        if (`${status} ${text}` !== toldOf('forbidden'))
          found.push(`${request.route.name}: ${status} ${text}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(refused.length).toBeGreaterThan(25);
  });

  it.each<[string, () => Holding]>([
    ['another site of the company', () => next],
    ['another company', () => world.other],
  ])('finds nothing of %s, and nothing is written', async (_name, holding) => {
    const about = requests
      .filter(({ route }) => ofRole(route) && route.siteAccess !== 'refused')
      .map((request) => aboutAnother(request, mine, holding()));
    const naming = about.filter(({ path }, index) => path !== requests[index]?.path && parametersNamed(path));
    const faults = await unwritten(async () => {
      const found: string[] = [];
      for (const request of naming) {
        const { status, text, body } = await send(request, as(token));
        const code = body.code as ErrorCode;
        if (!/_not_found$/.test(code) || `${status} ${text}` !== toldOf(code))
          found.push(`${request.route.name}: ${status} ${text}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(naming.length).toBeGreaterThan(35);

    function parametersNamed(path: string): boolean {
      return secretsOf(holding()).some((secret) => path.includes(secret));
    }
  });

  it('is told nothing of another site by any read', async () => {
    const reads = requests.filter(
      ({ route }) => route.method === 'get' && ofRole(route) && route.siteAccess !== 'refused',
    );
    const faults: string[] = [];
    for (const request of reads) {
      const answer = await send(request, as(token));
      if (answer.status !== request.status) faults.push(`${request.route.name}: ${answer.status}`);
      const leaked = leaks(answer);
      if (leaked.length > 0) faults.push(`${request.route.name} tells ${leaked.join()}`);
    }
    expect(faults).toEqual([]);
    expect(reads.length).toBeGreaterThan(12);
  });
});

describe('an operator of one site, on the pages', () => {
  const pathOf = (route: Route, holding: Holding) => fillPath(route.path, world.parameters(holding));
  const open = (route: Route, holding: Holding, credential = token) =>
    world.call(route.method, pathOf(route, holding), {
      headers: {
        ...cookie(credential),
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      ...(route.method === 'post' ? { body: '' } : {}),
    });

  it('is refused what belongs to a company as a whole, and nothing is written', async () => {
    const refused = pages.filter(({ siteAccess }) => siteAccess === 'refused');
    const faults = await unwritten(async () => {
      const found: string[] = [];
      for (const route of refused) {
        const answer = await open(route, mine);
        if (answer.status !== 403) found.push(`${route.name}: ${answer.status}`);
        const leaked = leaks(answer);
        if (leaked.length > 0) found.push(`${route.name} tells ${leaked.join()}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(refused.length).toBeGreaterThan(25);
  });

  it.each<[string, () => Holding]>([
    ['another site of the company', () => next],
    ['another company', () => world.other],
  ])('finds nothing of %s, and nothing is written', async (_name, holding) => {
    const named = pages.filter(isIn('named'));
    const faults = await unwritten(async () => {
      const found: string[] = [];
      for (const route of named) {
        const answer = await open(route, holding());
        if (answer.status !== 404) found.push(`${route.name}: ${answer.status}`);
        // The address that was asked for is the caller's own.
        const asked = parametersOf(route).map(
          (name) => world.parameters(holding())[`:${name}` as ':unit_id'],
        );
        const leaked = leaks(answer).filter((secret) => !asked.includes(secret));
        if (leaked.length > 0) found.push(`${route.name} tells ${leaked.join()}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(0);
  });

  it('is told nothing of another site by any page', async () => {
    const shown = pages.filter(
      (route) => route.method === 'get' && ofRole(route) && route.siteAccess === 'own',
    );
    const faults: string[] = [];
    for (const route of shown) {
      const answer = await open(route, mine);
      if (answer.status !== 200) faults.push(`${route.name}: ${answer.status}`);
      const leaked = leaks(answer);
      if (leaked.length > 0) faults.push(`${route.name} tells ${leaked.join()}`);
    }
    expect(faults).toEqual([]);
    expect(shown.length).toBeGreaterThan(1);
  });
});
