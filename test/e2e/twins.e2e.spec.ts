import type { EventMetadata } from '../../src/log/domain-event.js';
import type { Answer } from '../support/http-client.js';
import { type Company, Service, unitPath } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ServiceProcess, setUpCompany } from '../support/service-process.js';
import { waitUntil } from '../support/wait-until.js';

const TWINS = 100;
const DAY = 24 * 60 * 60 * 1_000;
const MOVE_IN = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
});

function keyed(key: string) {
  return { 'Idempotency-Key': key };
}

function twins(send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: TWINS }, (_, index) => send(index)));
}

function expectOneExecution(answers: readonly Answer[], status: number): void {
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
  expect(replayed).toHaveLength(answers.length - 1);
}

/** How many commands the events of the company's units come from. */
async function commands(): Promise<number> {
  const events = await company.unitEvents();
  return new Set(events.map(({ metadata }) => (metadata as unknown as EventMetadata).command_id)).size;
}

describe('a hundred requests at once with one key', () => {
  test('sync once, and all get the counts of the first', async () => {
    const tenant = { pms_tenant_id: 't-1', first_name: 'Ada', last_name: 'Park' };
    const units = Array.from({ length: 50 }, (_, index) => ({
      crm_unit_id: `A-${index}`,
      occupied: true,
      tenant,
      move_in_date: '2025-12-01',
    }));
    const answers = await twins(() => company.sync(units, keyed('twin')));
    expectOneExecution(answers, 200);
    expect(answers[0]!.body.data).toMatchObject({
      total: 50,
      created: 50,
      updated: 0,
      unchanged: 0,
      errors: [],
    });
    expect(await company.eventTypes()).toHaveLength(100);
    expect(await commands()).toBe(1);
  });

  test('and as many with another body are refused, whichever came first', async () => {
    const path = `${unitPath('A-1')}/tenancy`;
    const answers = await twins((index) =>
      company.push('put', path, { ...MOVE_IN, pms_tenant_id: `t-${index % 2}` }, keyed('twin')),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(TWINS / 2);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(TWINS / 2);
    expect(refused[0]!.body).toEqual({
      code: 'idempotency_key_reused',
      message: 'Idempotency-Key reused with a different request.',
    });
    expect(await commands()).toBe(1);
  });

  test('of a process of its own', async () => {
    const folder = await temporaryFolder();
    const alone = await ServiceProcess.start(folder.path);
    try {
      const { token } = await setUpCompany(alone);
      const body = { ...MOVE_IN, pms_location_code: 'A' };
      const options = { body, token, headers: keyed('twin') };
      expectOneExecution(
        await twins(() => alone.client.call('put', '/api/v2/units/A-1/tenancy', options)),
        201,
      );
      const { body: history } = await alone.client.call('get', '/api/v2/units/A-1/history', { token });
      expect(history.data.entries.map(({ type }: { type: string }) => type)).toEqual([
        'UnitRegistered',
        'TenantMovedIn',
      ]);
    } finally {
      await alone.kill();
      await folder.remove();
    }
  });
});

describe('a key', () => {
  test('that is used again after 24 hours may be for another request', async () => {
    await company.push('put', `${unitPath('A-1')}/tenancy`, MOVE_IN, keyed('again'));
    const other = () => company.push('put', `${unitPath('A-2')}/tenancy`, MOVE_IN, keyed('again'));
    expect((await other()).status).toBe(409);
    service.manualClock.advance(DAY);
    // The first answer may still be on its way to its record: until it is there, its request is under way.
    await waitUntil(other, ({ status }) => status === 201);
  });
});
