import { errorBody, errorOf } from '#kernel/errors/api-error.js';
import type { ErrorCode } from '#kernel/errors/error-codes.js';
import { OPERATOR_ROLES } from '#kernel/principals.js';
import { OPERATOR_COOKIE } from '#web/authentication.js';
import { ThingOwners } from '#api/operator/index.js';
import type { Answer } from '../../support/http-client.js';
import { unitStream } from '#domain/units/index.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
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
  await rejectRows([mine, next, { ...mine, bob: { ...mine.bob, crm_unit_id: 'NEXT-unknown' } }]);
  requests = learned.map((request) => aboutAnother(request, from, mine));
  token = await world.operatorOfSite('manager', mine);
});
afterAll(async () => {
  await world.close();
  expect(world.app.failures).toEqual([]);
});

/** Something for every list of Today: a lockout, an opening all the same, a failure, a low battery. */
async function makeTrouble({ token: pms, ada, bob }: Holding): Promise<void> {
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
}

/** One push of a row for each holding, and of a new unit of the next site. None of them is taken. */
async function rejectRows(holdings: readonly Holding[]): Promise<void> {
  const known = holdings.map(({ bob: { crm_unit_id } }) => ({ crm_unit_id, occupied: 'perhaps' }));
  const added = { crm_unit_id: 'NEXT-new', pms_location_code: next.location_code, occupied: 'perhaps' };
  const units = [...known, added];
  await world.call('patch', '/api/v2/units', { body: { units }, token: mine.token });
}

const as = (credential: string) => ({ Authorization: `Bearer ${credential}` });
const cookie = (credential: string) => ({ Cookie: `${OPERATOR_COOKIE}=${credential}` });
const send = ({ route, path, body }: ValidRequest, headers: Readonly<Record<string, string>>) =>
  world.call(route.method, path, { headers, ...(body === undefined ? {} : { body }) });

/** What nobody of another site may read. */
function secretsOf({ ada, bob, location_id, location_code }: Holding): string[] {
  const secrets = [location_id, location_code];
  for (const { tenant_id, phone, crm_unit_id, unit_id, pass_id, ...equipment } of [ada, bob]) {
    secrets.push(tenant_id, phone.phone_number, crm_unit_id, unit_id, pass_id);
    secrets.push(equipment.lock_id, equipment.zone_id, equipment.entry_point_id);
  }
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
    const silent = [...api, ...pages].filter(({ siteAccess }) => siteAccess === undefined);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('refuses them only what belongs to a company as a whole', () => {
    const refused = [...api, ...pages].filter(({ siteAccess }) => siteAccess === 'refused');
    const others = refused.filter(({ name }) => !REFUSED.some((known) => known.test(name)));
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
    expect(reads.length).toBeGreaterThan(20);
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
    expect(named.length).toBeGreaterThan(60);
  });

  it('is told nothing of another site by any page', async () => {
    const shown = pages.filter(
      (route) => route.method === 'get' && ofRole(route) && route.siteAccess !== 'refused',
    );
    const faults: string[] = [];
    for (const route of shown) {
      const answer = await open(route, mine);
      if (answer.status !== 200) faults.push(`${route.name}: ${answer.status}`);
      const leaked = leaks(answer);
      if (leaked.length > 0) faults.push(`${route.name} tells ${leaked.join()}`);
    }
    expect(faults).toEqual([]);
    expect(shown.length).toBeGreaterThan(40);
  });
});

/** Reads that look at several sites, with what they are asked. The first of each must tell an operator of the company more. */
const asks = (path: string, queries: readonly string[]) => queries.map((query) => `${path}?${query}`);
const searches = () => ['NEXT', next.ada.phone.phone_number, next.location_code, next.ada.tenant_id];
const looks = (): string[] => {
  const company = `companies/${mine.company_id}`;
  const texts = searches().map((text) => `q=${encodeURIComponent(text)}`);
  return [
    `/api/operator/${company}`,
    `/api/operator/${company}/today`,
    `/api/operator/${company}/changes`,
    ...asks('/api/operator/units', [
      'limit=500',
      `company_id=${mine.company_id}`,
      'state=tenant_denied',
      ...texts,
    ]),
    ...asks('/api/operator/tenants', ['limit=500', `company_id=${mine.company_id}`, ...texts]),
    `/dashboard?company_id=${mine.company_id}`,
    `/dashboard/${company}`,
    `/dashboard/${company}/locations.csv`,
    `/dashboard/${company}/units`,
    `/dashboard/${company}/units.csv?state=tenant_denied`,
    `/dashboard/${company}/changes`,
    `/dashboard/${company}/changes.csv`,
    ...asks('/dashboard/find', texts),
    ...asks('/dashboard/find/hits', texts),
    ...asks('/dashboard/find/units.csv', texts),
    ...asks('/dashboard/find/tenants.csv', texts),
  ];
};

describe('what looks at several sites', () => {
  const read = (path: string, credential: string) =>
    world.call('get', path, {
      headers: path.startsWith('/dashboard') ? cookie(credential) : as(credential),
    });
  const toldOfNext = ({ text }: Answer, path: string) =>
    [...secretsOf(next), 'NEXT'].filter(
      (secret) => text.includes(secret) && !decodeURIComponent(path).includes(secret),
    );

  it('tells an operator of the company of all of them, so that the next test is about something', async () => {
    const manager = await world.operatorOf('manager', [mine.company_id]);
    const told = new Map<string, number>();
    for (const path of looks()) {
      const [page] = path.split('?');
      const found = toldOfNext(await read(path, manager), path).length;
      told.set(page!, (told.get(page!) ?? 0) + found);
    }
    expect([...told].filter(([, found]) => found === 0)).toEqual([]);
  });

  it('tells an operator of one site of that one', async () => {
    const faults: string[] = [];
    for (const path of looks()) {
      const answer = await read(path, token);
      if (answer.status !== 200) faults.push(`${path}: ${answer.status}`);
      const asked = decodeURIComponent(path);
      const leaked = leaks(answer).filter((secret) => !asked.includes(secret));
      if (leaked.length > 0) faults.push(`${path} tells ${leaked.join()}`);
    }
    expect(faults).toEqual([]);
  });

  it.each([
    ['/api/operator/units', 'units', 'crm_unit_id'],
    ['/api/operator/tenants', 'tenants', 'pms_tenant_id'],
  ])('has all of one’s own in %s, page by page', async (path, list, name) => {
    const names: string[] = [];
    for (let cursor = ''; ;) {
      const { data } = (await read(`${path}?limit=1${cursor}`, token)).body;
      names.push(...data[list].map((one: Record<string, string>) => one[name]));
      if (data.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`;
    }
    // Accounts of passes are among the tenants.
    const rented = names.filter((one) => !one.startsWith('pass-'));
    expect(rented.map((one) => one.slice(0, 6)).sort()).toEqual(['HOME-A', 'HOME-B']);
  });

  it('finds one’s own by name, also where those of other sites come first', async () => {
    const units = (await read('/api/operator/units?q=HOME', token)).body.data.units;
    expect(units.map(({ crm_unit_id }: { crm_unit_id: string }) => crm_unit_id)).toEqual([
      'HOME-A',
      'HOME-B',
    ]);
    const { text } = await read('/dashboard/find/hits?q=Main', token);
    expect(text).toContain('HOME <mark>Main</mark>');
  });

  it('does not know another site or company by its id', async () => {
    const queries = [`location_id=${next.location_id}`, `company_id=${world.other.company_id}`];
    const paths = [
      '/api/operator/units',
      '/api/operator/tenants',
      `/dashboard/companies/${mine.company_id}/units`,
    ];
    const asked = paths.flatMap((path) => asks(path, queries));
    asked.push(`/api/operator/companies/${mine.company_id}/today?location_id=${next.location_id}`);
    asked.push(`/dashboard?company_id=${world.other.company_id}`);
    const statuses = await Promise.all(asked.map(async (path) => (await read(path, token)).status));
    expect(statuses).toEqual(asked.map(() => 404));
  });

  it('counts one’s own on Today', async () => {
    const path = `/api/operator/companies/${mine.company_id}/today`;
    const manager = await world.operatorOf('manager', [mine.company_id]);
    const counted = async (credential: string) => {
      const { data } = (await read(path, credential)).body;
      return {
        lockedOut: data.locked_out.units,
        denied: data.denied.reduce((sum: number, { units }: { units: number }) => sum + units, 0),
        batteries: data.low_batteries.batteries,
        failures: data.failures.failed,
        events: data.changes.by_type.reduce((sum: number, { events }: { events: number }) => sum + events, 0),
        rejected: data.rejected_bulks.map(({ error_count }: { error_count: number }) => error_count),
        owed: data.locked_out.owed,
      };
    };
    const [all, own] = [await counted(manager), await counted(token)];
    expect(all).toMatchObject({ lockedOut: 2, denied: 2, batteries: 4, failures: 4, owed: 180 });
    expect(own).toMatchObject({ lockedOut: 1, denied: 1, batteries: 2, failures: 2, owed: 90 });
    expect(own.events).toBeLessThan(all.events);
    expect([all.rejected, own.rejected]).toEqual([[4], [1]]);
  });
});

describe('an id of another site beside one’s own', () => {
  it('in a path is not found, and nothing is written', async () => {
    const owners = Object.keys(world.app.part(ThingOwners).owners);
    const named = requests.filter(({ route }) => isIn('named')(route) && parametersOf(route).length > 1);
    const theirs = world.parameters(next);
    const faults = await unwritten(async () => {
      const found: string[] = [];
      for (const request of named) {
        for (const name of parametersOf(request.route).filter((one) => owners.includes(one))) {
          const mixed = { ...world.parameters(mine), [`:${name}`]: theirs[`:${name}` as ':unit_id'] };
          if (name === 'tenant_id') mixed['shares/:tenant_id'] = next.ada.tenant_id;
          const { status } = await send({ ...request, path: fillPath(request.route.path, mixed) }, as(token));
          if (status !== 404) found.push(`${request.route.name} with ${name}: ${status}`);
        }
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it('in a body is refused, and nothing is written', async () => {
    const { zone_id } = next.ada;
    const gate = { name: 'Mixed', kind: 'gate', zone_ids: [mine.ada.zone_id, zone_id] };
    const answers = await sent([
      ['post', `/locations/${mine.location_id}/entry-points`, gate],
      ['patch', `/entry-points/${mine.ada.entry_point_id}`, { zone_ids: [zone_id] }],
      [
        'put',
        `/units/${mine.ada.unit_id}/tenancy`,
        { pms_tenant_id: next.ada.tenant_id, move_in_date: '2026-01-01' },
      ],
    ]);
    expect(answers.every((status) => [404, 409, 422].includes(status))).toBe(true);
  });

  it('in a body is answered as one that does not exist', async () => {
    const { unit_id } = mine.ada;
    const transfer = async (to_unit_id: string): Promise<string> =>
      (await world.call('post', `/api/operator/units/${unit_id}/transfer`, { body: { to_unit_id }, token }))
        .text;
    expect(await transfer(next.bob.unit_id)).toBe(await transfer('01JAAAAAAAAAAAAAAAAAAAAAAA'));
    const setUp = async (unit: string): Promise<string> => {
      const body = { rows: [{ unit, zone: 'Mixed' }] };
      const answer = await world.call('post', `/api/operator/locations/${mine.location_id}/setup`, {
        body,
        token,
      });
      return answer.text.replaceAll(unit, '');
    };
    expect(await setUp('NEXT-A')).toBe(await setUp('NONE-A'));
  });

  it('in a form is refused, and nothing is written', async () => {
    const { unit_id } = mine.ada;
    const forms: readonly (readonly [path: string, form: string])[] = [
      [`/dashboard/units/${unit_id}/locks`, `lock_id=${next.ada.lock_id}`],
      [`/dashboard/units/${unit_id}/zones`, `zone_id=${next.ada.zone_id}`],
      [`/dashboard/units/${unit_id}/shares`, `tenant_id=${next.ada.tenant_id}`],
      [
        `/dashboard/locations/${mine.location_id}/table/zone`,
        `zone_id=${next.ada.zone_id}&unit_id=${unit_id}`,
      ],
      [
        `/dashboard/locations/${mine.location_id}/table/zone`,
        `zone_id=${mine.ada.zone_id}&unit_id=${next.ada.unit_id}`,
      ],
    ];
    const faults = await unwritten(async () => {
      const found: string[] = [];
      for (const [path, body] of forms) {
        const headers = { ...cookie(token), 'Sec-Fetch-Site': 'same-origin' };
        const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
        const { status } = await world.call('post', path, { body, headers: { ...headers, ...type } });
        if (status !== 404) found.push(`${path} ${body}: ${status}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
  });

  it('among the units of a zone is left out', async () => {
    const path = `/dashboard/locations/${mine.location_id}/table/zone`;
    const headers = { ...cookie(token), 'Sec-Fetch-Site': 'same-origin' };
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = `name=Mixed&unit_ids=${next.ada.unit_id}`;
    await world.call('post', path, { body, headers: { ...headers, ...type } });
    const shown = await world.call('get', `/api/operator/locations/${next.location_id}/zones`, {
      token: await world.operatorOf('auditor', [mine.company_id]),
    });
    expect(shown.text).not.toContain('Mixed');
    const unit = await world.operate(200, 'get', `/units/${next.ada.unit_id}`);
    expect(JSON.stringify(unit)).not.toContain('Mixed');
  });

  async function sent(
    calls: readonly (readonly [method: 'post' | 'patch' | 'put', path: string, body: object])[],
  ): Promise<number[]> {
    const statuses: number[] = [];
    await unwritten(async () => {
      for (const [method, path, body] of calls) {
        const { status } = await world.call(method, `/api/operator${path}`, { body, token });
        statuses.push(status);
      }
      return [];
    });
    return statuses;
  }
});

describe('damaged histories on Today', () => {
  const streamsOf = ({ company_id, location_id, bob }: Holding) => [
    unitStream(company_id, bob.crm_unit_id),
    `tenant-${bob.tenant_id}`,
    `location-${location_id}`,
    `lock-${bob.lock_id}`,
    `entry-point-${bob.entry_point_id}`,
  ];
  const idsOf = ({ location_id, bob }: Holding) =>
    [bob.unit_id, bob.tenant_id, location_id, bob.lock_id, bob.entry_point_id].sort();
  const all = () => [...streamsOf(mine), ...streamsOf(next), `company-${mine.company_id}`];

  beforeEach(async () => {
    const damaged = world.app.part(DamagedStreams);
    for (const stream of all()) await damaged.found({ stream, revision: 1, cause: 'shortened' });
  });
  afterEach(async () => {
    for (const stream of all()) await world.app.part(DamagedStreams).restored(stream);
    // The service has told of them.
    world.app.failures.length = 0;
  });

  it('are those of one’s own site', async () => {
    const path = `/api/operator/companies/${mine.company_id}/today`;
    const manager = await world.operatorOf('manager', [mine.company_id]);
    const shown = async (credential: string): Promise<string[]> => {
      const { data } = (await world.call('get', path, { token: credential })).body;
      return data.damaged_histories.map(({ id }: { id: string }) => id).sort();
    };
    expect(await shown(token)).toEqual(idsOf(mine));
    expect(await shown(manager)).toEqual([...idsOf(mine), ...idsOf(next), mine.company_id].sort());
  });
});
