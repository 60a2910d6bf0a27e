import { companyStream } from '#domain/companies/core/company.events.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { AppendFaults, withAppendFaults } from '../../support/faulty-event-store.js';
import type { OperatorService } from './operator-service.js';
import { startOperatorService } from './operator-service.js';

const CODES = 12;

/** Two processes on one log and one set of views; the faults are the first one's. */
let here: OperatorService;
let there: OperatorService;
const faults = new AppendFaults();
let company_id: string;
beforeAll(async () => {
  here = await startOperatorService(undefined, (events) => withAppendFaults(events, faults));
  there = await startOperatorService(here);
});
beforeEach(async () => {
  Object.assign(faults, new AppendFaults());
  const registered = await here.call('post', '/companies', { name: 'Ada Storage' });
  company_id = registered.body.data.company_id as string;
});
afterAll(async () => {
  await there.stop();
  await here.stop();
});

const add = async (service: OperatorService, pms_location_code: string, name = 'Main St') =>
  service.call('post', `/companies/${company_id}/locations`, { pms_location_code, name });

/** Does something when the appends that follow reach the number, before that append. */
function beforeAppend(number: number, act: () => Promise<void>): void {
  let appends = 0;
  faults.beforeAppend = async () => {
    appends += 1;
    if (appends === number) await act();
  };
}

async function codesGiven(): Promise<unknown[]> {
  const events = await here.events.readStream(companyStream(company_id));
  return events.filter(({ type }) => type === 'LocationAdded').map(({ data }) => data);
}

async function locations(): Promise<Record<string, unknown>[]> {
  const answer = await there.call('get', `/companies/${company_id}`);
  return answer.body.data.locations as Record<string, unknown>[];
}

describe('the code of a location', () => {
  it.each(['the same process', 'another process'])(
    'that was given before a crash is completed by %s that adds it again, under the id it was given to',
    async (who) => {
      beforeAppend(2, () => Promise.resolve(void (faults.refusals = 1)));
      expect((await add(here, 'MAIN', 'Cut off')).status).toBe(503);
      const [given] = (await codesGiven()) as [{ location_id: string }];
      expect(await locations()).toEqual([]);
      const again = await add(who === 'the same process' ? here : there, 'MAIN');
      expect(again.status).toBe(201);
      expect(again.body.data).toMatchObject({ location_id: given.location_id, name: 'Main St' });
      expect((await add(here, 'MAIN')).status).toBe(422);
      expect((await add(there, 'MAIN')).status).toBe(422);
      expect(await locations()).toEqual([again.body.data]);
      expect(await codesGiven()).toEqual([{ location_id: given.location_id, pms_location_code: 'MAIN' }]);
    },
  );

  it('is given once by two processes at once', async () => {
    for (let number = 0; number < CODES; number += 1) {
      const answers = await resultsAtOnce([
        () => add(here, `CODE-${number}`, 'here'),
        () => add(there, `CODE-${number}`, 'there'),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
      const [won] = answers.filter(({ status }) => status === 201);
      expect((await locations())[number]).toEqual(won!.body.data);
    }
    expect(await codesGiven()).toHaveLength(CODES);
  });

  it.each([
    [1, 'before the company gives it'],
    [2, 'between the company giving it and the location opening'],
  ])('is given once where another process adds it at append %i, %s', async (number) => {
    const others: number[] = [];
    beforeAppend(number, async () => void others.push((await add(there, 'MAIN', 'there')).status));
    const mine = await add(here, 'MAIN', 'here');
    expect([mine.status, ...others]).toEqual([422, 201]);
    expect(await locations()).toMatchObject([{ pms_location_code: 'MAIN', name: 'there' }]);
    expect(await codesGiven()).toHaveLength(1);
  });
});

describe('a lock', () => {
  it('is put on one unit by two processes that put it on two', async () => {
    const { location_id } = (await add(here, 'MAIN')).body.data as { location_id: string };
    for (const unit_id of ['one', 'two']) here.units.set(unit_id, { unit_id, company_id, location_id });
    const lock = await here.call('post', `/locations/${location_id}/locks`, { name: 'door' });
    const { lock_id } = lock.body.data as { lock_id: string };
    const attach = (service: OperatorService, unit_id: string) =>
      service.call('put', `/units/${unit_id}/locks/${lock_id}`);
    const others: number[] = [];
    beforeAppend(1, async () => void others.push((await attach(there, 'two')).status));
    expect((await attach(here, 'one')).status).toBe(409);
    expect(others).toEqual([200]);
    const shown = await here.call('get', `/locations/${location_id}/locks`);
    expect(shown.body.data.locks).toMatchObject([{ lock_id, unit_id: 'two' }]);
  });
});
