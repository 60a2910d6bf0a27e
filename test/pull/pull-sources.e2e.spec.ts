import { LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { PullHttp, PullScheduler } from '#pull/index.js';
import { PullFault } from '#pull/fetching/pull-fault.js';
import { LARGEST_PAGE_BYTES } from '#pull/fetching/undici-pull-http.js';
import { upTo } from '../support/campaign.js';
import type { Parsed } from '../support/http-client.js';
import { type Company, demand, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { json, occupied, SourceServer, status } from './support/source-server.js';

const MINUTE = 60_000;
const MANAGED_BY_PUSH = 'This unit is managed by a push-mode PMS integration. Please contact support.';
const MANAGED_BY_PULL = 'This unit is managed by a pull-mode PMS integration. Please contact support.';

let service: Service;
let company: Company;
let source: SourceServer;

beforeAll(async () => {
  service = await Service.start({ environment: { PULL_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => service.close());
beforeEach(async () => {
  source = await SourceServer.start();
  company = await service.company();
});
afterEach(async () => {
  // What is asked of a source that is gone would be asked again and again.
  for (const { pull_source_id } of await sources())
    demand(200, await service.operator('patch', `/pull-sources/${pull_source_id}`, { enabled: false }));
  await settled();
  await source.close();
});

const settled = () => service.part(PullScheduler).settled();
const sources = async (): Promise<Parsed[]> =>
  demand(200, await service.operator('get', `/companies/${company.id}/pull-sources`)).pull_sources;
const add = async (fields: object = {}): Promise<Parsed> => {
  const body = { name: 'Main PMS', url: source.url(), interval_seconds: 60, ...fields };
  return demand(201, await service.operator('post', `/companies/${company.id}/pull-sources`, body));
};
const runs = async ({ pull_source_id }: Parsed, query = ''): Promise<Parsed[]> =>
  demand(200, await service.operator('get', `/pull-sources/${pull_source_id}/runs${query}`)).runs;
const request = async ({ pull_source_id }: Parsed): Promise<Parsed> =>
  demand(202, await service.operator('post', `/pull-sources/${pull_source_id}/runs`));
/** Runs the source once, and tells what became of it. */
const run = async (added: Parsed): Promise<Parsed> => {
  const { run_id } = await request(added);
  await settled();
  const [newest] = await runs(added);
  expect(newest.run_id).toBe(run_id);
  return newest;
};
/** Moves the clock in small steps until something has come. */
const advanceUntil = (isDone: () => boolean) =>
  waitUntil(() => {
    if (!isDone()) service.manualClock.advance(250);
    return isDone();
  });

/** A document of so many bytes. */
const page = (bytes: number, document: object): Buffer => Buffer.from(JSON.stringify(document).padEnd(bytes));

describe('a pull source', () => {
  it('is asked one interval after it was made, and each interval from then on', async () => {
    source.always(json({ units: [occupied('A-1'), occupied('A-2')] }));
    const added = await add();
    expect(added).toMatchObject({
      company_id: company.id,
      has_auth_header: false,
      enabled: true,
      running: false,
    });
    service.manualClock.advance(MINUTE - 1);
    await settled();
    expect(await runs(added)).toEqual([]);
    service.manualClock.advance(1);
    await settled();
    const [first] = await runs(added);
    expect(first).toMatchObject({
      state: 'succeeded',
      total: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      errors: [],
      error_count: 0,
      failure: null,
      duration_ms: 0,
      started_at: new Date(service.clock.now()).toISOString(),
      finished_at: new Date(service.clock.now()).toISOString(),
    });
    expect(await company.unit('A-1')).toMatchObject({
      source_type: 'pull',
      access: { state: 'tenant_permitted' },
    });
    service.manualClock.advance(MINUTE);
    await settled();
    expect((await runs(added)).map(({ created, unchanged }) => [created, unchanged])).toEqual([
      [0, 2],
      [2, 0],
    ]);
    expect((await sources())[0].next_run_at).toBe(new Date(service.clock.now() + MINUTE).toISOString());
  });

  it('is named in the history of the units that it brought, with the run', async () => {
    source.next(json({ units: [occupied('A-1')] }));
    const added = await add();
    const { run_id } = await run(added);
    const { entries } = demand(200, await company.push('get', '/units/A-1/history'));
    expect(entries[0]).toMatchObject({
      actor: { kind: 'pull', id: added.pull_source_id, name: 'Main PMS' },
      request_id: run_id,
    });
  });

  it('is read page after page, each applied before the next is asked for', async () => {
    source.next(
      json({ units: [occupied('A-1')], next: '?page=2' }),
      json({ units: [], next: source.url('/third') }),
      json({ units: [occupied('A-3')], next: null }),
    );
    expect(await run(await add({ url: source.url('/units.json?page=1') }))).toMatchObject({
      total: 2,
      created: 2,
      pages: 3,
    });
    expect(source.asked.map(({ path }) => path)).toEqual([
      '/units.json?page=1',
      '/units.json?page=2',
      '/third',
    ]);
  });

  it('keeps what was applied where a later page fails', async () => {
    source.next(json({ units: [occupied('A-1')], next: '?page=2' }), status(404));
    expect(await run(await add())).toMatchObject({
      state: 'failed',
      created: 1,
      failure: { code: 'http_status', message: 'The source answered 404 instead of 200.' },
    });
    expect(await company.access('A-1')).toBe('tenant_permitted active');
  });

  it.each(['by its length', 'while it comes'])(
    'fails the run at a page that is found too large %s, and applies nothing of that page',
    async (found) => {
      const second = page(LARGEST_PAGE_BYTES + 1, { units: [occupied('A-2'), occupied('A-3')] });
      source.next(json({ units: [occupied('A-1')], next: '?page=2' }), (response) => {
        const length = found === 'by its length' ? { 'Content-Length': second.length } : {};
        response.writeHead(200, { 'Content-Type': 'application/json', ...length });
        // The service hangs up before it has it all.
        response.on('error', () => undefined).end(second);
      });
      const message = 'The page is larger than 8 MB. Split it into pages with next.';
      expect(await run(await add())).toMatchObject({
        state: 'failed',
        created: 1,
        pages: 1,
        failure: { code: 'too_large', message },
      });
      expect(source.asked).toHaveLength(2);
      const units = await company.list();
      expect(units.map(({ crm_unit_id }) => crm_unit_id as string)).toEqual(['A-1']);
    },
  );

  it('may send pages as large as it says, to the byte', async () => {
    const whole = page(LARGEST_PAGE_BYTES, { units: [occupied('A-1')] });
    source.next((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(whole);
    });
    expect(await run(await add())).toMatchObject({ state: 'succeeded', created: 1 });
  });

  it('whose pages lead in a circle is read once round', async () => {
    source.next(json({ units: [], next: '?page=2' }), json({ units: [], next: source.url() }));
    expect((await run(await add())).failure.code).toBe('page_loop');
    expect(source.asked).toHaveLength(2);
  });

  it('need not send again what has not changed, page by page', async () => {
    const added = await add();
    source.next(
      json({ units: [occupied('A-1')], next: '?page=2' }, { ETag: '"1"' }),
      json({ units: [occupied('A-2')] }, { ETag: '"2"' }),
    );
    await run(added);
    // The second page has changed, and the first one does not say so.
    source.next(status(304), json({ units: [occupied('A-2', { balance_due: 5 })] }, { ETag: '"3"' }));
    expect(await run(added)).toMatchObject({ total: 1, updated: 1, pages: 2, pages_not_modified: 1 });
    source.next(status(304), status(304));
    expect(await run(added)).toMatchObject({ state: 'succeeded', total: 0, pages: 2, pages_not_modified: 2 });
    expect(source.asked.map(({ headers }) => headers['if-none-match'])).toEqual(['"1"', '"3"']);
  });

  it('is asked for all anew where a unit was refused, or what is read and how has changed', async () => {
    const added = await add();
    const refused = [occupied('A-1'), { crm_unit_id: 'A-2' }];
    source.next(
      json({ units: refused }, { ETag: '"1"' }),
      json({ units: [occupied('A-1')] }, { ETag: '"2"' }),
    );
    expect((await run(added)).error_count).toBe(1);
    await run(added);
    demand(
      200,
      await service.operator('patch', `/pull-sources/${added.pull_source_id}`, { mapping: { no: null } }),
    );
    source.next(json({ units: [occupied('A-1')] }));
    await run(added);
    expect(source.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined]);
  });

  it('is read under the names of its own', async () => {
    const units = [
      {
        no: 'A-1',
        rented: true,
        who: { id: 't-1', first: 'Ada', last: 'Park' },
        since: '2025-12-01',
        note: 'x',
      },
    ];
    source.next(json({ units }));
    const mapping = {
      no: 'crm_unit_id',
      rented: 'occupied',
      since: 'move_in_date',
      'who.id': 'tenant.pms_tenant_id',
      'who.first': 'tenant.first_name',
      'who.last': 'tenant.last_name',
      note: null,
    };
    expect(await run(await add({ mapping }))).toMatchObject({ created: 1, errors: [] });
    expect(await company.access('A-1')).toBe('tenant_permitted active');
  });

  it('fails a unit by itself, with the words of a bulk push', async () => {
    demand(201, await company.moveIn('PUSHED'));
    const location_id = company.locations.get('MAIN')!;
    demand(201, await service.operator('post', `/locations/${location_id}/units`, { crm_unit_id: 'OWN' }));
    source.next(
      json({
        units: [occupied('PUSHED'), occupied('OWN'), { crm_unit_id: 'A-1', occupied: true }, occupied('A-2')],
      }),
    );
    const { errors, ...told } = await run(await add());
    expect(told).toMatchObject({ state: 'succeeded', total: 4, created: 1, error_count: 3 });
    expect(errors).toEqual([
      { crm_unit_id: 'PUSHED', error: MANAGED_BY_PUSH, code: 'unit_managed_elsewhere' },
      { crm_unit_id: 'OWN', error: MANAGED_BY_PUSH, code: 'unit_managed_elsewhere' },
      expect.objectContaining({ crm_unit_id: 'A-1', code: 'validation_failed' }),
    ]);
    expect(errors[2].error).toContain(
      'units.2.move_in_date: The move in date field is required when occupied is true.',
    );
  });

  it('does not name guests and holders of passes as tenants', async () => {
    const pms_tenant_id = 'pass-01JB0NANE00000000000000001';
    source.next(json({ units: [{ ...occupied('A-1'), pms_tenant_id }, occupied('A-2')] }));
    const { errors, created } = await run(await add());
    expect([created, errors]).toMatchObject([1, [{ crm_unit_id: 'A-1', code: 'validation_failed' }]]);
  });

  it('owns what it brought: pushes are refused, one by one and in bulk', async () => {
    source.next(json({ units: [occupied('A-1')] }));
    await run(await add());
    const refused = { message: MANAGED_BY_PULL, code: 'unit_managed_elsewhere' };
    for (const answer of [
      await company.moveIn('A-1'),
      await company.moveOut('A-1'),
      await company.patch('A-1', { pms_lockout: true }),
    ])
      expect([answer.status, answer.body]).toEqual([409, refused]);
    const { errors } = demand(200, await company.sync([occupied('A-1')]));
    expect(errors).toEqual([{ crm_unit_id: 'A-1', error: MANAGED_BY_PULL, code: 'unit_managed_elsewhere' }]);
  });

  it('applies every sound entry beside entries without an identifier of their own', async () => {
    const units = [occupied('A-1'), { occupied: true }, occupied('A-1'), null, 0, occupied('A-2')];
    source.next(json({ units }));
    const { state, total, created, error_count, errors } = await run(await add());
    expect([state, total, created, error_count]).toEqual(['succeeded', 6, 2, 4]);
    expect(errors.map(({ crm_unit_id, error }: Parsed) => [crm_unit_id, error])).toEqual([
      ['', 'units.1.crm_unit_id: The crm unit id field is required.'],
      ['A-1', 'units.2.crm_unit_id: The crm unit id field has a duplicate value.'],
      ['', 'units.3: The units.3 field must be an object.'],
      ['', 'units.4: The units.4 field must be an object.'],
    ]);
  });

  it('that fails for a moment is asked again in the same run', async () => {
    source.next(status(500), status(429, { 'Retry-After': '2' }), json({ units: [occupied('A-1')] }));
    const added = await add();
    await request(added);
    await advanceUntil(() => source.asked.length === 3);
    await settled();
    expect((await runs(added))[0]).toMatchObject({ state: 'succeeded', created: 1 });
  });

  it('that answers with a web page fails the run, and is asked again at its next turn', async () => {
    source.next(status(200, { 'Content-Type': 'text/html' }, '<html>'), json({ units: [occupied('A-1')] }));
    const added = await add();
    service.manualClock.advance(MINUTE);
    await settled();
    service.manualClock.advance(MINUTE);
    await settled();
    expect((await runs(added)).map(({ state, failure }) => [state, failure?.code])).toEqual([
      ['succeeded', undefined],
      ['failed', 'not_json'],
    ]);
  });

  it('is run once at a time: whoever asks meanwhile is told of the run that goes on', async () => {
    let answer: () => void = () => undefined;
    source.next((response, asked) => (answer = () => json({ units: [] })(response, asked)));
    const added = await add();
    const first = await request(added);
    await waitUntil(() => source.asked.length === 1);
    const [second, third] = await Promise.all([request(added), request(added)]);
    expect([second.run_id, third.run_id]).toEqual([first.run_id, first.run_id]);
    expect(second).toMatchObject({ state: 'running', finished_at: null, duration_ms: null });
    answer();
    await settled();
    expect(await runs(added)).toHaveLength(1);
    expect(source.asked).toHaveLength(1);
  });

  it('lists its runs newest first, in pages', async () => {
    source.always(json({ units: [] }));
    const added = await add();
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      made.unshift((await run(added)).run_id);
      service.manualClock.advance(1_000);
    }
    const path = `/pull-sources/${added.pull_source_id}/runs?limit=2`;
    const page = demand(200, await service.operator('get', path));
    const rest = demand(
      200,
      await service.operator('get', `${path}&cursor=${encodeURIComponent(page.next_cursor)}`),
    );
    expect([...page.runs, ...rest.runs].map(({ run_id }) => run_id)).toEqual(made);
    expect(rest.next_cursor).toBeNull();
  });

  it('that is switched off is asked only when somebody wants it, and goes on when it is switched on', async () => {
    source.always(json({ units: [] }));
    const added = await add();
    const path = `/pull-sources/${added.pull_source_id}`;
    expect(demand(200, await service.operator('patch', path, { enabled: false })).next_run_at).toBeNull();
    service.manualClock.advance(10 * MINUTE);
    await settled();
    expect(await runs(added)).toEqual([]);
    await run(added);
    expect((await sources())[0].next_run_at).toBeNull();
    const on = demand(200, await service.operator('patch', path, { enabled: true, interval_seconds: 120 }));
    expect(on.next_run_at).toBe(new Date(service.clock.now() + 2 * MINUTE).toISOString());
    service.manualClock.advance(2 * MINUTE);
    await settled();
    expect(await runs(added)).toHaveLength(2);
  });

  it('is taken up again by the next start where the service ended in the midst of a run', async () => {
    source.next(
      json({ units: [occupied('A-1')], next: '?page=2' }),
      () => undefined,
      json({ units: [occupied('A-2')] }),
    );
    const added = await add();
    await request(added);
    await waitUntil(() => source.asked.length === 2);
    await service.restart();
    await settled();
    expect((await runs(added)).map(({ state, failure, total }) => [state, failure?.code, total])).toEqual([
      ['succeeded', undefined, 1],
      ['failed', 'interrupted', 1],
    ]);
  });
});

const PAGES = upTo(3, 100);

describe(`${PAGES} pages of 500 units`, () => {
  it('are applied, each page before the next is asked for', async () => {
    source.always((response, asked) => {
      const page = Number(new URL(asked.url!, source.url()).searchParams.get('page') ?? 1);
      const units = Array.from({ length: 500 }, (_, place) => ({
        crm_unit_id: `U-${page}-${place}`,
        occupied: false,
      }));
      json({ units, next: page < PAGES ? `?page=${page + 1}` : null })(response, asked);
    });
    const told = await run(await add({ name: 'Large' }));
    expect(told).toMatchObject({
      total: PAGES * 500,
      created: PAGES * 500,
      pages: PAGES,
      error_count: 0,
    });
    expect((await company.list('state=vacant&limit=500')).length).toBe(PAGES * 500);
  }, 600_000);
});

describe('what operators set', () => {
  it('is held to its form', async () => {
    const path = `/companies/${company.id}/pull-sources`;
    const answer = await service.operator('post', path, {
      name: '',
      url: 'ftp://example.com/',
      auth_header: 'a\nb',
      interval_seconds: 59,
      mapping: { a: 'nothing' },
    });
    expect([answer.status, Object.keys(answer.body.errors as object).sort()]).toEqual([
      422,
      ['auth_header', 'interval_seconds', 'mapping', 'name', 'url'],
    ]);
    for (const url of [
      'https://user:word@example.com/',
      'nothing',
      `https://example.com/${'x'.repeat(2_048)}`,
    ]) {
      const body = { name: 'x', url, interval_seconds: 60 };
      expect((await service.operator('post', path, body)).body.errors).toHaveProperty('url');
    }
    expect(
      (await service.operator('post', path, { name: 'x', url: source.url(), interval_seconds: 86_401 }))
        .status,
    ).toBe(422);
    const { pull_source_id } = await add();
    expect((await service.operator('patch', `/pull-sources/${pull_source_id}`, {})).status).toBe(422);
  });

  it('is nowhere shown where it is a secret: no answer, no event, no record', async () => {
    source.always(json({ units: [] }));
    const secret = 'Bearer v3ry-s3cret-value';
    const added = await add({ auth_header: secret, url: source.url('/units.json?api_key=qu3ry-s3cret') });
    await run(added);
    expect(source.asked[0]!.headers.authorization).toBe(secret);
    const path = `/pull-sources/${added.pull_source_id}`;
    const changed = demand(
      200,
      await service.operator('patch', path, { auth_header: `${secret}-2`, name: 'Other' }),
    );
    expect([added.has_auth_header, changed.has_auth_header]).toEqual([true, true]);
    const records = await service.stores.records.collection<Parsed>({ name: 'pull_sources', indexes: {} });
    const kept = JSON.stringify(await records.get(added.pull_source_id));
    const recorded = await service.events(`pull-${added.pull_source_id}`);
    const events = recorded.map(({ type, data, metadata }) => ({ type, data, metadata }));
    expect(events.map(({ type, data }) => [type, data['fields']])).toEqual([
      ['PullSourceAdded', undefined],
      ['PullRunRequested', undefined],
      ['PullSourceChanged', ['auth_header', 'name']],
    ]);
    expect(events[0]!.metadata['actor']).toMatchObject({ kind: 'operator' });
    const shown = JSON.stringify([added, changed, await sources(), await runs(added), events]);
    for (const text of [shown, kept]) expect(text).not.toContain('v3ry-s3cret');
    expect(JSON.stringify(events)).not.toContain('qu3ry');
    const none = demand(200, await service.operator('patch', path, { auth_header: null }));
    expect(none.has_auth_header).toBe(false);
    await run(added);
    expect(source.asked.at(-1)!.headers.authorization).toBeUndefined();
  });

  it('may be seen and set as far as an operator’s role goes', async () => {
    const added = await add({ auth_header: 'Bearer x', url: source.url('/units.json?key=1') });
    const bare = await add({ name: 'Bare' });
    const as = async (role: string) => {
      const email = `${role}-${company.id}@example.com`.toLowerCase();
      const companies = [company.id];
      const password = 'another horse battery staple';
      await service.addOperator({ email, password, role, companies });
      const { token } = demand(
        201,
        await service.call('post', '/api/operator/sessions', { body: { email, password } }),
      );
      return (method: 'get' | 'post' | 'patch', path: string, body?: unknown) =>
        service.call(method, `/api/operator${path}`, { token, body });
    };
    const list = `/companies/${company.id}/pull-sources`;
    const one = `/pull-sources/${added.pull_source_id}`;
    const body = { name: 'New', url: source.url(), interval_seconds: 60 };

    const auditor = await as('auditor');
    expect(demand(200, await auditor('get', list)).pull_sources[0].url).toBe(`${source.url()}?…`);

    const manager = await as('manager');
    demand(201, await manager('post', list, body));
    demand(200, await manager('patch', one, { name: 'Renamed', interval_seconds: 90 }));
    // A person who chooses the address of a credential could have it sent to themselves.
    for (const given of [{ auth_header: 'Bearer y' }, { auth_header: null }, { url: source.url('/else') }])
      expect((await manager('patch', one, given)).status).toBe(403);
    expect((await manager('post', list, { ...body, auth_header: 'Bearer y' })).status).toBe(403);
    demand(200, await manager('patch', `/pull-sources/${bare.pull_source_id}`, { url: source.url('/else') }));
  });

  it('is not there for what does not exist', async () => {
    for (const answer of [
      await service.operator('get', '/companies/01JAAAAAAAAAAAAAAAAAAAAAAA/pull-sources'),
      await service.operator('patch', '/pull-sources/01JAAAAAAAAAAAAAAAAAAAAAAA', { name: 'x' }),
      await service.operator('post', '/pull-sources/01JAAAAAAAAAAAAAAAAAAAAAAA/runs'),
      await service.operator('get', '/pull-sources/%2e%2e/runs'),
    ])
      expect(answer.status).toBe(404);
  });
});

describe('a test of a source', () => {
  const test = async ({ pull_source_id }: Parsed) =>
    demand(200, await service.operator('post', `/pull-sources/${pull_source_id}/test`));

  it('asks once with the credential, tells the fields of the first page, and writes nothing', async () => {
    const entry = { ...occupied('A-1', { balance_due: 12 }), tenant: { last_name: 'Park' } };
    source.next(json({ units: [entry, entry], next: '/2' }));
    const added = await add({ auth_header: 'Bearer very-secret' });
    const before = (await service.events()).length;
    const tested = await test(added);
    expect(tested).toMatchObject({ failure: null, entries: 2, has_more_pages: true });
    expect(tested.fields).toContainEqual({
      ...{ name: 'balance_due', sample: '12', is_masked: false, field: 'balance_due' },
    });
    expect(tested.fields).toContainEqual({
      ...{ name: 'tenant.last_name', sample: null, is_masked: true, field: 'tenant.last_name' },
    });
    expect(source.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/units.json', 'Bearer very-secret'],
    ]);
    expect([(await service.events()).length, await runs(added)]).toEqual([before, []]);
    expect((await company.push('get', '/units/A-1')).status).toBe(404);
  });

  it('checks the first hundred rows as a run does, and tells the first reasons', async () => {
    const wrong = (place: number) => ({ crm_unit_id: `W-${place}`, occupied: true });
    source.always(
      json({
        units: Array.from({ length: 101 }, (_, place) =>
          place < 2 || place === 100 ? wrong(place) : occupied(`A-${place}`),
        ),
      }),
    );
    const added = await add();
    const tested = await test(added);
    expect(tested).toMatchObject({ entries: 101, checked: 100, error_count: 2 });
    expect((await company.push('get', '/units/A-2')).status).toBe(404);
    const { errors } = await run(added);
    expect(errors).toHaveLength(3);
    expect(tested.reasons).toEqual(errors[0].details.map(({ message }: Parsed) => message));
  });

  it('says what can be done about a date or an amount on a vacant unit', async () => {
    const vacant = { crm_unit_id: 'V-1', occupied: false, paid_through_date: '2025-12-01', balance_due: 5 };
    source.always(json({ units: [vacant] }));
    const added = await add();
    const todo =
      'Leave it out for a vacant unit: clear it in the PMS, or ask for a list that leaves it empty. If somebody rents the unit, send occupied: true.';
    const reasons = [
      `The balance due field must be 0 when occupied is false. ${todo}`,
      `The paid through date field must be null when occupied is false. ${todo}`,
    ];
    expect((await test(added)).reasons.toSorted()).toEqual(reasons);
    const { errors } = await run(added);
    expect(errors[0].details.map(({ hint }: Parsed) => hint)).toEqual([todo, todo]);
    const { troubled_pull_sources } = demand(
      200,
      await service.operator('get', `/companies/${company.id}/today`),
    );
    expect(troubled_pull_sources[0].reasons.toSorted()).toEqual(reasons);
  });

  it('leaves a line in the security log, without path and query of the address', async () => {
    const info = jest.spyOn(service.application.get<Logger>(LOGGER), 'info');
    source.next(json({ units: [] }));
    await test(await add({ url: source.url('/units?key=hidden'), auth_header: 'Bearer very-secret' }));
    const details = info.mock.calls.map(([one]) => one).filter((one) => 'security' in one);
    const { origin } = new URL(source.url());
    const subject = expect.stringMatching(/^operator:/);
    expect(details).toMatchObject([{ security: 'source_tested', company_id: company.id, origin, subject }]);
    expect(JSON.stringify(details)).not.toMatch(/hidden|very-secret/);
    info.mockRestore();
  });

  it('tells what failed, and waits eight seconds at most', async () => {
    const added = await add();
    source.next(status(503), json({ data: [] }), () => undefined);
    expect(await test(added)).toMatchObject({ failure: { code: 'http_status' }, entries: 0, fields: [] });
    expect(await test(added)).toMatchObject({ failure: { code: 'document_invalid' } });
    const waiting = test(added);
    await waitUntil(() => source.asked.length === 3);
    service.manualClock.advance(8_000);
    expect(await waiting).toMatchObject({ failure: { code: 'timeout' } });
    expect(source.asked).toHaveLength(3);
  });

  it('asks no address that runs may not', async () => {
    const guarded = await Service.start();
    const { id } = await guarded.company();
    const body = { name: 'PMS', url: 'https://pms.invalid/units', interval_seconds: 3600 };
    const added = demand(201, await guarded.operator('post', `/companies/${id}/pull-sources`, body));
    const path = `/pull-sources/${added.pull_source_id}/test`;
    const refused = new PullFault('address_refused', 'The host leads to a private address.');
    const get = jest.spyOn(guarded.application.get<PullHttp>(PullHttp), 'get').mockRejectedValue(refused);
    expect(demand(200, await guarded.operator('post', path))).toMatchObject({
      failure: { code: 'address_refused' },
    });
    get.mockRestore();
    await guarded.close();
  });
});

describe('where private addresses are not allowed', () => {
  let guarded: Service;
  beforeAll(async () => {
    guarded = await Service.start();
  });
  afterAll(() => guarded.close());

  it('a source that leads to one is refused, and so is a credential over plain http', async () => {
    const { id } = await guarded.company();
    const post = (fields: object) =>
      guarded.operator('post', `/companies/${id}/pull-sources`, {
        name: 'x',
        interval_seconds: 60,
        ...fields,
      });
    for (const url of [
      'http://127.0.0.1:9/',
      'http://localhost/',
      'https://10.0.0.1/',
      'https://169.254.169.254/',
    ]) {
      expect((await post({ url })).body.errors).toEqual({
        url: ['The url field must not lead to a loopback, private or reserved address.'],
      });
    }
    const plain = await post({ url: 'http://8.8.8.8/', auth_header: 'Bearer x' });
    expect(plain.body.errors).toEqual({
      url: ['The url field must be an https URL where an auth header is sent.'],
    });
    const { pull_source_id } = demand(201, await post({ url: 'https://8.8.8.8/' }));
    const patched = await guarded.operator('patch', `/pull-sources/${pull_source_id}`, {
      url: 'https://192.168.0.1/',
    });
    expect(patched.status).toBe(422);
  });
});
