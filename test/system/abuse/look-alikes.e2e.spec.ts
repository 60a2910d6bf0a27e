import { PullScheduler } from '#pull/index.js';
import { json, occupied, SourceServer } from '../../pull/support/source-server.js';
import { type Company, demand, Service } from '../../support/service.js';

let service: Service;
let company: Company;
let location: string;
beforeAll(async () => {
  service = await Service.start({ environment: { PULL_ALLOW_PRIVATE: 'true' } });
  company = await service.company();
  location = `/locations/${company.locations.get('MAIN')!}`;
});
afterAll(() => service.close());

let pairs = 0;
/** Two identifiers that look the same, new ones each time. */
function twins() {
  pairs += 1;
  return { composed: `Caf\u00e9-${pairs}`, decomposed: `Cafe\u0301-${pairs}` };
}

const vacant = (crm_unit_id: string) => ({ crm_unit_id, occupied: false });

test.each([' A-101', 'A-101 ', '\u00a0A-101', ' ', '\u3000'])(
  'a move-in that would create the unit %j is refused at its identifier',
  async (crm_unit_id) => {
    const { status, body } = await company.moveIn(crm_unit_id);
    expect([status, body]).toMatchObject([
      422,
      { hint: expect.any(String), details: [{ field: 'crm_unit_id', code: 'format' }] },
    ]);
  },
);

test('blanks within an identifier are taken', async () => {
  expect((await company.moveIn('A 101')).status).toBe(201);
});

test.each([
  ['composed', 'decomposed'],
  ['decomposed', 'composed'],
] as const)(
  'the twin of a unit whose identifier is %s is refused, and the unit goes on',
  async (one, other) => {
    const { [one]: known, [other]: twin } = twins();
    demand(201, await company.moveIn(known));
    const { status, body } = await company.moveIn(twin);
    expect([status, body]).toMatchObject([
      422,
      {
        hint: expect.stringContaining(encodeURIComponent(known)),
        details: [{ field: 'crm_unit_id', code: 'taken' }],
      },
    ]);
    demand(200, await company.moveIn(known, { move_in_date: '2025-12-02' }));
  },
);

test('the twin of a unit that was retired is created', async () => {
  const { composed, decomposed } = twins();
  const { unit_id } = demand(201, await company.moveIn(decomposed));
  demand(200, await company.moveOut(decomposed));
  demand(200, await service.operator('put', `/units/${unit_id}/retired`));
  expect((await company.moveIn(composed)).status).toBe(201);
});

test('of two requests at once that would create twins one is refused', async () => {
  const { composed, decomposed } = twins();
  const answers = await Promise.all([company.moveIn(composed), company.moveIn(decomposed)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
});

test('in a bulk the rows that look like others are faulty alone', async () => {
  const { composed, decomposed } = twins();
  const units = [vacant(composed), vacant(decomposed), vacant(' C-1'), vacant('C-1')];
  const { created, errors } = demand(200, await company.sync(units));
  expect(created).toBe(2);
  expect(errors).toMatchObject([
    { crm_unit_id: decomposed, details: [{ field: 'units.1.crm_unit_id', code: 'taken' }] },
    { crm_unit_id: ' C-1', details: [{ field: 'units.2.crm_unit_id', code: 'format' }] },
  ]);
});

test('a move-in of v1 is refused', async () => {
  const body = { crm_unit_id: 'A-101 ', pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
  const options = { body, token: company.token };
  const answer = await service.call('post', '/api/v1/pms/events/move-in', options);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['crm_unit_id']]);
});

test('a unit of an operator is refused', async () => {
  const { status, body } = await service.operator('post', `${location}/units`, { crm_unit_id: ' B-1' });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['crm_unit_id']]);
});

test('rows of a set-up that would create look-alikes are faulty', async () => {
  const { composed, decomposed } = twins();
  demand(201, await company.moveIn(composed));
  const rows = [decomposed, 'B-1'].map((unit) => ({ unit, zone: 'North' }));
  const done = demand(200, await service.operator('post', `${location}/setup`, { rows, add_units: true }));
  expect([done.units_created, done.errors]).toMatchObject([
    1,
    [{ unit: decomposed, code: 'validation_failed' }],
  ]);
});

test('a row of a pull source is its own fault', async () => {
  const source = await SourceServer.start();
  source.next(json({ units: [occupied('P-1 '), occupied('P-2')] }));
  const body = { name: 'PMS', url: source.url(), interval_seconds: 86_400 };
  const added = demand(201, await service.operator('post', `/companies/${company.id}/pull-sources`, body));
  const path = `/pull-sources/${added.pull_source_id}/runs`;
  demand(202, await service.operator('post', path));
  await service.part(PullScheduler).settled();
  const [run] = demand(200, await service.operator('get', path)).runs;
  await source.close();
  expect(run).toMatchObject({ state: 'succeeded', created: 1, error_count: 1 });
});
