import { waitUntil } from '../../support/wait-until.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { AppendFaults, withAppendFaults } from '../../support/faulty-event-store.js';
import type { Answer } from '../../support/http-client.js';
import { type Company, Service } from '../../support/service.js';
import { invalid } from '../../support/invalid.js';

const HOUR = 60 * 60 * 1000;
const MOVE_IN = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
const REUSED = {
  code: 'idempotency_key_reused',
  message: 'Idempotency-Key reused with a different request.',
  hint: expect.stringContaining('Take a fresh key'),
};

const faults = new AppendFaults();
let service: Service;
let company: Company;
let lastKey = 0;

beforeAll(async () => {
  service = await Service.start({
    wrap: (stores) => ({ ...stores, eventStore: withAppendFaults(stores.eventStore, faults) }),
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
});

const newKey = () => ({ 'Idempotency-Key': `key-${++lastKey}` });

type Write = readonly ['put' | 'patch' | 'delete', string, unknown?];
const send = (write: Write, headers: Record<string, string>, mayFail = false): Promise<Answer> => {
  const [method, path, body] = write;
  return service.call(method, `/api/v2${path}`, { body, token: company.token, headers, mayFail });
};
const told = ({ status, text }: Answer) => [status, text];
const isReplay = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true';

const MOVE: Write = ['put', '/units/A-1/tenancy', MOVE_IN];
const BULK: Write = [
  'patch',
  '/units',
  {
    units: [
      { crm_unit_id: 'A-1', occupied: true, balance_due: 4, ...MOVE_IN },
      { crm_unit_id: 'B-1', occupied: true },
      { crm_unit_id: 'B-2', occupied: false, pms_unrentable: true },
    ],
  },
];

/** Every write, on a company that has the unit A-1 unless the write is to create it. */
const WRITES: [string, Write, boolean][] = [
  ['a move-in that creates', MOVE, false],
  ['a move-in', ['put', '/units/A-1/tenancy', { ...MOVE_IN, pms_tenant_id: 't-2' }], true],
  ['a move-out', ['delete', '/units/A-1/tenancy'], true],
  ['a change of facts', ['patch', '/units/A-1', { balance_due: 7 }], true],
  ['a bulk', BULK, false],
  ['a bulk over units that exist', BULK, true],
];

describe('a key', () => {
  it.each(WRITES)(
    'of %s answers the same again, byte for byte, and writes nothing',
    async (_n, write, needs) => {
      if (needs) await company.moveIn('A-1');
      const key = newKey();
      const first = await send(write, key);
      expect(isReplay(first)).toBe(false);
      const events = await service.events();
      service.manualClock.advance(1000);
      const again = await send(write, key);
      expect([told(again), isReplay(again)]).toEqual([told(first), true]);
      expect(await service.events()).toEqual(events);
    },
  );

  it('does not mind the order of the body’s members, and minds everything else', async () => {
    const key = newKey();
    const first = await send(MOVE, key);
    const turned = JSON.stringify({ move_in_date: '2025-12-01', pms_tenant_id: 't-1' });
    expect(told(await send(['put', '/units/A-1/tenancy', turned], key))).toEqual(told(first));
    const before = await service.events();
    for (const other of [
      ['put', '/units/A-1/tenancy', { ...MOVE_IN, pms_tenant_id: 't-2' }],
      ['put', '/units/A-2/tenancy', MOVE_IN],
      ['delete', '/units/A-1/tenancy'],
      ['patch', '/units/A-1', { balance_due: 1 }],
      ['patch', '/units', { units: [] }],
    ] as Write[]) {
      const answer = await send(other, key);
      expect([answer.status, answer.body]).toEqual([409, REUSED]);
    }
    expect(await service.events()).toEqual(before);
  });

  it.each<[number, Write]>([
    [422, ['put', '/units/A-1/tenancy', {}]],
    [404, ['patch', '/units/X-1', { balance_due: 1 }]],
    [404, ['delete', '/units/X-1/tenancy']],
    [422, ['patch', '/units', { units: [] }]],
  ])('keeps a refusal of %d, though the write would be accepted by now', async (status, write) => {
    const key = newKey();
    const first = await send(write, key);
    expect(first.status).toBe(status);
    await company.moveIn('X-1');
    const again = await send(write, key);
    expect([told(again), isReplay(again)]).toEqual([told(first), true]);
  });

  it('is not used up by a body that cannot be read', async () => {
    const key = newKey();
    expect((await send(['put', '/units/A-1/tenancy', '{'], key)).status).toBe(400);
    expect((await send(MOVE, key)).status).toBe(201);
  });

  it.each(['x'.repeat(256), ''])('of another length is refused', async (value) => {
    const answer = await send(MOVE, { 'Idempotency-Key': value });
    expect([answer.status, answer.body]).toEqual([
      422,
      invalid({ idempotency_key: ['The idempotency key field must be between 1 and 255 characters.'] }),
    ]);
  });

  it.each(['x'.repeat(255), ' ', '"quoted, with commas"', '__proto__'].filter((key) => key.trim() !== ''))(
    'may be any text: %j',
    async (value) => {
      const key = { 'Idempotency-Key': value };
      const first = await send(MOVE, key);
      expect([first.status, told(await send(MOVE, key))]).toEqual([201, told(first)]);
    },
  );

  it('holds for 24 hours, across restarts, and is a new one after that', async () => {
    const key = newKey();
    const first = await send(MOVE, key);
    await service.restart();
    service.manualClock.advance(24 * HOUR - 1);
    const kept = await send(MOVE, key);
    expect([told(kept), isReplay(kept)]).toEqual([told(first), true]);
    service.manualClock.advance(1);
    const fresh = await send(MOVE, key);
    expect([fresh.status, isReplay(fresh)]).toEqual([200, false]);
  });
});

describe('a write whose answer was lost after it was stored', () => {
  const identity = ({ stream, revision, type }: RecordedEvent) => `${stream} ${revision} ${type}`;

  /** What the write answers on a company of its own where nothing goes wrong, without what differs by chance. */
  async function undisturbed(write: Write, needs: boolean): Promise<unknown[]> {
    const disturbed = company;
    company = await service.company();
    if (needs) await company.moveIn('A-1');
    const answer = await send(write, newKey());
    const events = (await company.eventTypes()).length;
    company = disturbed;
    return [answer.status, comparable(answer), events];
  }
  /** Without ids, and without the access that an answer leaves out if it is found again. */
  const comparable = ({ body }: Answer) => {
    return { ...body, data: { ...body.data, unit_id: undefined, access: undefined } };
  };

  it.each(WRITES)(
    'of %s: the retry answers what the first would have, and doubles nothing',
    async (_n, write, needs) => {
      const expected = await undisturbed(write, needs);
      if (needs) await company.moveIn('A-1');
      const key = newKey();
      faults.answersToLose = 1;
      const lost = await send(write, key, true);
      expect([lost.status, lost.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      const stored = await company.unitEvents();
      service.manualClock.advance(0);
      const retry = await send(write, key);
      expect([retry.status, comparable(retry), stored.length]).toEqual(expected);
      expect((await company.unitEvents()).map(identity)).toEqual(stored.map(identity));
      expect(told(await send(write, key))).toEqual(told(retry));
    },
  );

  it('whatever it was: the retry after a restart answers so as well', async () => {
    const lost: (() => Promise<void>)[] = [];
    for (const [name, write, needs] of WRITES) {
      const own = await service.company();
      company = own;
      const expected = await undisturbed(write, needs);
      if (needs) await company.moveIn('A-1');
      const key = newKey();
      faults.answersToLose = 1;
      await send(write, key, true);
      lost.push(async () => {
        company = own;
        const retry = await send(write, key);
        const count = (await company.unitEvents()).length;
        expect([name, retry.status, comparable(retry), count]).toEqual([name, ...expected]);
        const [unit] = await company.list();
        if (retry.body.data.unit_id !== undefined) expect(unit.unit_id).toBe(retry.body.data.unit_id);
      });
    }
    await service.restart();
    for (const retried of lost) await retried();
  });

  it('is found even after others have written to the unit', async () => {
    const key = newKey();
    faults.answersToLose = 1;
    await send(MOVE, key, true);
    // Others can write to the unit once the catch-up has shown it.
    await waitUntil(
      async () => (await company.patch('A-1', { pms_lockout: true })).status,
      (status) => status === 200,
    );
    await company.moveOut('A-1');
    const retry = await send(MOVE, key);
    expect(retry.status).toBe(201);
    expect(await company.access('A-1')).toBe('vacant');
    expect((await company.eventTypes()).filter((type) => type === 'TenantMovedIn')).toHaveLength(1);
  });
});
