import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import type { Answer } from '../../support/http-client.js';
import { type Company, Service, unitPath } from '../../support/service.js';

const TWINS = 100;
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
      hint: expect.stringContaining('Take a fresh key'),
    });
    expect(await commands()).toBe(1);
  });
});
