import { encodeCursor } from '#kernel/cursor.js';
import { World } from '#domain/history/core/world.js';
import { presentExplainedUnit } from '#domain/access/index.js';
import { hashEvent } from '#eventsourcing/log/hash-chain.js';
import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import type { HistoryEntry } from '#domain/history/index.js';
import type { HistoryPage } from '#domain/history/unit-history.js';
import { verifyAll, verifyStream } from '#eventsourcing/proof/verify.js';
import { unitStream } from '#domain/units/index.js';
import {
  COMPANY,
  type HistoryService,
  LOCATION,
  startHistoryService,
  unitIdOf,
} from '../../domain/history/support/history-service.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let service: HistoryService;

/** Each test around has a service of its own, where nothing has happened. */
function onServicesOfTheirOwn(): void {
  beforeEach(async () => {
    service = await startHistoryService();
  });
  afterEach(() => service.stop());
}

/** The tests around only read what months have left in one service. */
function onPlayedMonths(): void {
  beforeAll(async () => {
    service = await startHistoryService();
    await playMonths();
  });
  afterAll(() => service.stop());
}

async function historyOf(unit: string, query = ''): Promise<HistoryPage> {
  const answer = await service.get(`/api/v2/units/${unit}/history${query}`);
  expect(answer.status).toBe(200);
  expect(answer.body.message).toBe('Request successful.');
  return answer.body.data;
}

interface AsOfAnswer {
  readonly entry_points: readonly unknown[];
  readonly at: string;
  readonly access: { readonly reason: string | null };
  readonly policy: Readonly<Record<string, unknown>>;
}

async function asOf(unit: string, instant: number): Promise<AsOfAnswer> {
  const at = new Date(instant).toISOString();
  const answer = await service.get(`/api/v2/units/${unit}/as-of?at=${at}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

/** The answer of a read of the unit now. */
async function readNow(unit: string): Promise<Record<string, unknown>> {
  const document = await service.directory.byPathKey(COMPANY, unit);
  const [described] = await service.query.describe([document!]);
  return JSON.parse(JSON.stringify(presentExplainedUnit(described!))) as Record<string, unknown>;
}

function facts(data: Record<string, string | number | boolean | null>) {
  return { type: 'ChangeFacts' as const, source: 'push' as const, facts: data };
}

/** Two units of one tenant, one of which runs out of grace, a policy that is eased, a lock that is used. */
async function playMonths(look: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const { clock } = service;
  const step = async (milliseconds: number, work: () => Promise<void>) => {
    clock.advance(milliseconds);
    await work();
    await look();
  };
  await step(HOUR, () => service.moveIn('A 1', 'ada', '2026-01-03'));
  await step(HOUR, () => service.moveIn('A-2', 'ada', '2026-01-01'));
  await step(HOUR, () => service.location({ type: 'AddLock', lock_id: 'lock', name: 'door', serial: null }));
  const unit = { unit_id: unitIdOf('A 1'), location_id: LOCATION };
  await step(0, () => service.location({ type: 'AttachLock', lock_id: 'lock', unit }));
  await step(3 * DAY, () => service.unlocked('lock', unit.unit_id, clock.now() - HOUR));
  await step(1, () => service.unit('A-2', facts({ balance_due: 12_345, paid_through_date: '2026-01-31' })));
  await step(DAY, () => service.unlocked('lock', unit.unit_id, clock.now() - 2 * DAY));
  await step(40 * DAY, () => service.unit('A 1', facts({ pms_status_raw: 'late' })));
  await step(DAY, () =>
    service.location({
      type: 'ChangeLocation',
      name: 'Main',
      policy: { balance_threshold: 20_000 },
    }),
  );
  const override = { override: 'lockout' as const, reason: 'cut lock', expires_at: clock.now() + 2 * DAY };
  await step(DAY, () => service.unit('A 1', { type: 'OverrideAccess', override }));
  await step(3 * DAY, () => service.unit('A 1', { type: 'MoveTenantOut', source: 'push' }));
}

describe('the history of a unit', () => {
  describe('of which months are told', () => {
    onPlayedMonths();

    it('tells events and, between them, what calendar, policy and other units caused', async () => {
      const { entries, next_cursor } = await historyOf('A%201');
      expect(next_cursor).toBeNull();
      const told = entries.map(({ revision, type, cause, access }) =>
        [revision, type, cause?.kind, access && (access.to.reason ?? access.to.state)].join(' '),
      );
      expect(told).toEqual([
        '0 UnitRegistered  vacant',
        '1 TenantMovedIn  future_move_in',
        ' AccessChanged calendar active',
        ' AccessChanged calendar blanket_delinquency',
        '2 UnitFactsChanged  ',
        ' AccessChanged policy active',
        '3 AccessOverridden  system_lockout',
        ' AccessChanged calendar active',
        '4 AccessOverrideCleared  ',
        '5 TenantMovedOut  vacant',
      ]);
      expect(entries[1]).toMatchObject({
        actor: { kind: 'api_token', id: 'token-1', name: null },
        command_id: 'command-2',
        request_id: 'request-2',
      });
    });

    it('carries the hashes of the chain', async () => {
      const stream = unitStream(COMPANY, 'A 1');
      const stored = await service.events.readStream(stream);
      const { entries } = await historyOf('A%201');
      const own = entries.filter((entry) => entry.revision !== null);
      expect(own).toHaveLength(stored.length);
      own.forEach((entry, revision) => {
        const { id, type, data, metadata } = stored[revision]!;
        const { hash, ...rest } = metadata as unknown as EventMetadata;
        expect(entry.hash).toBe(hash);
        expect(hashEvent({ id, stream, revision, type, data, metadata: rest })).toBe(hash);
      });
      expect(entries.filter((entry) => entry.revision === null).every((entry) => entry.hash === null)).toBe(
        true,
      );
    });

    it.each([1, 2, 3, 500])('is the same in pages of %s', async (limit) => {
      const whole = await historyOf('A%201');
      const pages: HistoryEntry[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: HistoryPage = await historyOf(
          'A%201',
          `?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
        );
        expect(page.entries.length).toBeGreaterThan(0);
        pages.push(...page.entries);
        cursor = page.next_cursor;
      }
      expect(pages).toEqual(whole.entries);
    });

    it('reads the same for an operator, and by the unit id of the service', async () => {
      const data = await historyOf('A%201');
      expect(await historyOf(`ulid:${unitIdOf('A 1')}`)).toEqual(data);
      const answer = await service.get(`/api/operator/units/${unitIdOf('A 1')}/history`, 'operator');
      expect(answer.body).toEqual({ message: 'Request successful.', data });
    });

    it.each([1, 2, 3, 500])('is the same turned, in pages of %s', async (limit) => {
      const whole = await historyOf('A%201');
      const pages: HistoryEntry[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = `?order=desc&limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const page: HistoryPage = await historyOf('A%201', query);
        pages.push(...page.entries);
        cursor = page.next_cursor;
      }
      expect(pages.reverse()).toEqual(whole.entries);
    });

    it('is narrowed to what happened from one instant to another, both included', async () => {
      const { entries } = await historyOf('A%201');
      for (const [first, last] of [
        [0, 1],
        [2, 3],
        [3, 6],
        [4, 9],
      ] as const) {
        const from = entries[first]!.occurred_at;
        const to = entries[last]!.occurred_at;
        const asked = entries.filter(({ occurred_at }) => occurred_at >= from && occurred_at <= to);
        for (const order of ['asc', 'desc']) {
          const narrowed = await historyOf('A%201', `?from=${from}&to=${to}&order=${order}&limit=500`);
          if (order === 'desc') narrowed.entries.reverse();
          expect(narrowed).toEqual({ entries: asked, next_cursor: null, damage: null });
          const [one] = (await historyOf('A%201', `?from=${from}&to=${to}&order=${order}&limit=1`)).entries;
          expect(one).toEqual(asked.at(order === 'asc' ? 0 : -1));
        }
      }
      expect(
        (await historyOf('A%201', `?from=${entries[3]!.occurred_at}&to=2026-01-01T00:00:00Z`)).entries,
      ).toEqual([]);
    });

    it('names the unit that owes where its grace ran out', async () => {
      const { entries } = await historyOf('A%201');
      const blanket = entries.find(({ access }) => access?.to.reason === 'blanket_delinquency');
      expect(blanket!.cause).toEqual({ kind: 'calendar', unit_id: unitIdOf('A-2'), crm_unit_id: 'A-2' });
    });

    it('goes on from a cursor only in the range that it is of', async () => {
      const bounds = '&from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z';
      for (const [asked, others] of [
        ['limit=1', ['order=desc', 'from=2026-01-01T00:00:00Z', 'to=2027-01-01T00:00:00Z']],
        ['limit=1&order=desc', ['order=asc', '', `order=desc${bounds}`]],
        [`limit=1${bounds}`, ['', `order=desc${bounds}`, 'from=2026-01-01T00:00:00Z']],
      ] as const) {
        const { next_cursor } = await historyOf('A%201', `?${asked}`);
        expect(await historyOf('A%201', `?${asked}&cursor=${next_cursor}`)).toMatchObject({
          entries: [expect.anything()],
        });
        for (const other of others) {
          const answer = await service.get(`/api/v2/units/A%201/history?${other}&cursor=${next_cursor}`);
          expect([other, answer.status, Object.keys(answer.body.errors)]).toEqual([other, 422, ['cursor']]);
        }
      }
    });

    it('goes on from no cursor of another unit, and from none that somebody makes up', async () => {
      const { next_cursor } = await historyOf('A%201', '?limit=1');
      const made = [['now', '1'], [0.5, '1'], [1, '1e3'], [1, 1], 'place'].map((place) =>
        encodeCursor(place, ['history', unitIdOf('A 1'), 'asc', undefined, undefined]),
      );
      const asked = [['A-2', next_cursor], ...made.map((cursor) => ['A%201', cursor])];
      for (const [unit, cursor] of asked) {
        const answer = await service.get(`/api/v2/units/${unit}/history?limit=1&cursor=${cursor}`);
        expect([answer.status, answer.body.errors]).toEqual([
          422,
          { cursor: ['The cursor field is invalid.'] },
        ]);
      }
    });

    it('refuses what it cannot read', async () => {
      for (const query of [
        'limit=0',
        'limit=501',
        'limit=x',
        'cursor=nonsense',
        'cursor=',
        'page=2',
        'from=2026-01-01',
        'to=soon',
        'order=newest',
      ]) {
        const answer = await service.get(`/api/v2/units/A-2/history?${query}`);
        expect([query, answer.status, Object.keys(answer.body.errors)]).toEqual([
          query,
          422,
          [query.split('=')[0]],
        ]);
      }
    });
  });

  describe('that goes on', () => {
    onServicesOfTheirOwn();

    it('goes on from a cursor after more has happened', async () => {
      await service.moveIn('A-1', 'ada', '2026-01-03');
      const first = await historyOf('A-1', '?limit=1');
      service.clock.advance(10 * DAY);
      await service.unit('A-1', facts({ pms_lockout: true }));
      const rest = await historyOf('A-1', `?cursor=${first.next_cursor}`);
      expect(rest.entries.map((entry) => entry.type)).toEqual([
        'TenantMovedIn',
        'AccessChanged',
        'UnitFactsChanged',
      ]);
    });
  });
});

describe('a unit as of an instant', () => {
  describe('of which months are told', () => {
    onPlayedMonths();

    it('shows the policy of then as decimal amounts', async () => {
      const now = service.clock.now();
      expect((await asOf('A-2', now)).policy.balance_threshold).toBe(200);
      expect((await asOf('A-2', now - 10 * DAY)).policy.balance_threshold).toBe(0);
    });

    it('demands an instant', async () => {
      const without = await service.get('/api/v2/units/A-2/as-of');
      expect(without.status).toBe(422);
      expect(without.body.errors).toEqual({ at: ['The at field is required.'] });
      for (const at of ['2026-02-30T00:00:00Z', 'yesterday', '2026-01-01', '']) {
        expect((await service.get(`/api/v2/units/A-2/as-of?at=${at}`)).status).toBe(422);
      }
    });

    it('needs the credential of its surface', async () => {
      expect((await service.get('/api/v2/units/A-2/history', 'operator')).status).toBe(401);
      expect((await service.get(`/api/operator/units/${unitIdOf('A-2')}/history`, 'pms')).status).toBe(401);
    });
  });

  describe('that goes on', () => {
    onServicesOfTheirOwn();

    it('is what a read answered then, and what a read answers now', async () => {
      const seen: { instant: number; unit: string; read: unknown }[] = [];
      const look = async () => {
        for (const unit of ['A 1', 'A-2']) {
          if ((await service.directory.byPathKey(COMPANY, unit)) === undefined) continue;
          seen.push({ instant: service.clock.now(), unit, read: await readNow(unit) });
        }
      };
      await playMonths(look);
      // Several things were done at some instants: of those, the last read stands.
      const last = new Map(seen.map((one) => [`${one.instant} ${one.unit}`, one]));
      expect(last.size).toBeGreaterThan(15);
      for (const { instant, unit, read } of last.values()) {
        const { at, policy, entry_points, ...rest } = await asOf(encodeURIComponent(unit), instant);
        expect(rest).toEqual(read);
        expect(entry_points).toEqual([]);
        expect(at).toBe(new Date(instant).toISOString());
        expect(Object.keys(policy).sort()).toEqual([
          'balance_threshold',
          'blanket_delinquency',
          'delinquency_mode',
          'grace_period_days',
          'timezone',
        ]);
      }
    });

    it('of an instant to come is what will hold if nothing is written', async () => {
      await service.moveIn('A-1', 'ada', '2026-01-03');
      expect((await asOf('A-1', service.clock.now())).access.reason).toBe('future_move_in');
      expect((await asOf('A-1', service.clock.now() + 5 * DAY)).access.reason).toBe('active');
    });

    it('is not found before the unit existed, nor for another company, nor for an unknown unit', async () => {
      service.clock.advance(DAY);
      await service.moveIn('A-1', 'ada', '2026-01-03');
      const at = new Date(service.clock.now()).toISOString();
      const before = new Date(service.clock.now() - 1).toISOString();
      const answers = await Promise.all([
        service.get(`/api/v2/units/A-1/as-of?at=${before}`),
        service.get(`/api/v2/units/A-1/as-of?at=${at}`, 'stranger'),
        service.get(`/api/v2/units/ulid:${unitIdOf('A-1')}/history`, 'stranger'),
        service.get(`/api/v2/units/A-9/history`),
        service.get(`/api/operator/units/unknown/as-of?at=${at}`, 'operator'),
        service.get(`/api/operator/units/${'x'.repeat(3_000)}/history`, 'operator'),
        service.get(`/api/v2/units/${'x'.repeat(3_000)}/history`),
      ]);
      const [early, ...unknown] = answers.map(({ status, body: { hint, ...body } }) => {
        expect({ status, body }).toEqual({
          status: 404,
          body: { code: 'unit_not_found', message: 'Unit not found.' },
        });
        return hint as string;
      });
      expect(early).toBe('The unit did not exist at that instant. Its history says when it began.');
      // Nothing tells another company's unit from one that nobody has.
      expect(new Set(unknown)).toEqual(
        new Set([expect.stringContaining('looked up at all locations of the token’s company')]),
      );
    });
  });
});

describe('the log itself', () => {
  onPlayedMonths();

  it('fits its chain as the service wrote it', async () => {
    const stored = await service.events.readAll({ limit: 1_000 });
    const streams = new Set(stored.map(({ stream }) => stream)).size;
    expect(await verifyAll(service.events, { readsEachStream: true })).toEqual({
      ok: true,
      streams,
      events: stored.length,
      fault: null,
    });
    expect(await verifyStream(service.events, unitStream(COMPANY, 'A 1'))).toMatchObject({
      ok: true,
      events: 6,
    });
  });
});

describe('what is read of the log', () => {
  onServicesOfTheirOwn();

  /** How many events the work has the log tell. */
  async function readBy(work: () => Promise<unknown>): Promise<number> {
    const read = jest.spyOn(service.events, 'readStream');
    try {
      await work();
      const pages = await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>));
      return pages.reduce((events, page) => events + page.length, 0);
    } finally {
      read.mockRestore();
    }
  }

  const toggles = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      type: 'UnitFactsChanged' as const,
      data: { pms_status_raw: `state ${at}` },
    }));

  async function addLocks(count: number): Promise<void> {
    for (let lock = 0; lock < count; lock += 1) {
      await service.location({ type: 'AddLock', lock_id: `lock-${lock}`, name: 'door', serial: null });
    }
  }

  /** Two units of one tenant with hundreds of events each, and a location with hundreds of things in it. */
  async function playALot(): Promise<void> {
    for (const unit of ['A-1', 'A-2']) await service.moveIn(unit, 'ada', '2026-01-03');
    await addLocks(100);
    const unit = { unit_id: unitIdOf('A-1'), location_id: LOCATION };
    await service.location({ type: 'AttachLock', lock_id: 'lock-1', unit });
    for (let day = 0; day < 10; day += 1) {
      service.clock.advance(DAY);
      for (let time = 0; time < 5; time += 1) {
        for (const one of ['A-1', 'A-2']) await service.changed(one, toggles(10));
      }
      for (let opened = 0; opened < 2; opened += 1) {
        await service.unlocked('lock-1', unit.unit_id, service.clock.now());
      }
    }
  }

  it('is what is told and what that is folded from, whatever the location and other units have come to', async () => {
    await service.location({ type: 'ChangeLocation', policy: { blanket_delinquency: false } });
    await playALot();
    const own = 502;
    // A short stream would be read whole. This one is longer, so two events are read by what the view says.
    const details = 100 + 2;
    expect(await readBy(() => historyOf('A-1', '?limit=10'))).toBeLessThanOrEqual(2 * 11 + details);
    expect(await readBy(() => historyOf('A-1', '?order=desc&limit=10'))).toBeLessThanOrEqual(own + details);
    const { clock } = service;
    const newest = 1 + 10;
    expect(await readBy(() => asOf('A-1', clock.now()))).toBeLessThanOrEqual(own + details + newest);
    const search = Math.ceil(Math.log2(20));
    const then = clock.now() - 8 * DAY;
    expect(await readBy(() => asOf('A-1', then))).toBeLessThanOrEqual(200 + details + search + newest);
  });

  it('is what has come since, once a stream was read, and what is told is the same', async () => {
    await playALot();
    const { clock } = service;
    const instants = [1, 4, 7].map((days) => clock.now() - days * DAY);
    const told = () =>
      Promise.all([
        historyOf('A-1', '?order=desc&limit=10'),
        historyOf('A-1', '?limit=10'),
        ...[clock.now(), ...instants].map((at) => asOf('A-1', at)),
      ]);
    const fresh = await told();
    const details = 100 + 2;
    const fold = jest.spyOn(World.prototype, 'take');
    const desc = () => historyOf('A-1', '?order=desc&limit=10');
    // What is kept of reads beside each other is that of the last one, and a part of the stream may be all that it read.
    await desc();
    fold.mockClear();
    expect(await readBy(desc)).toBeLessThanOrEqual(details);
    // Two units of hundreds of events: of the unit itself the page and what it stands on.
    const own = fold.mock.calls.filter(([step]) => step.kind === 'own');
    expect(own.length).toBeLessThanOrEqual(10 + 4);
    fold.mockRestore();
    expect(await told()).toEqual(fresh);
    await service.changed('A-1', toggles(3));
    expect(await readBy(desc)).toBeLessThanOrEqual(details + 3);
    expect((await desc()).entries[0]).toMatchObject({ changes: { pms_status_raw: { to: 'state 2' } } });
  });

  it('is of other units what bears on the page, where blanket delinquency ties them', async () => {
    await playALot();
    expect(await readBy(() => historyOf('A-1', '?limit=10'))).toBeLessThanOrEqual(2 * 11 + 1 + 200);
  });

  it('reads a page of a history of thousands of events', async () => {
    await service.moveIn('A-1', 'ada', '2026-01-03');
    await service.moveIn('A-2', 'ada', '2026-01-03');
    for (let day = 0; day < 20; day += 1) {
      service.clock.advance(DAY);
      const events = Array.from({ length: 100 }, (_, count) => ({
        type: 'UnitFactsChanged' as const,
        data: { balance_due: count % 2 === 0 ? 100 : 0, paid_through_date: '2026-01-01' },
      }));
      await service.changed('A-1', events);
    }
    expect((await historyOf('A-1', '?limit=100')).entries).toHaveLength(100);
  });

  it.each([0, 100])(
    'holds a change of policy that the views do not show yet, behind %i events',
    async (locks) => {
      await addLocks(locks);
      await service.moveIn('A-1', 'ada', '2026-01-03');
      service.clock.advance(10 * DAY);
      await service.unit('A-1', facts({ balance_due: 500, paid_through_date: '2026-01-01' }));
      service.clock.advance(DAY);
      const before = await historyOf('A-1');
      await service.unseen({ type: 'ChangeLocation', policy: { balance_threshold: 1_000 } });
      const { entries } = await historyOf('A-1');
      expect(entries).toHaveLength(before.entries.length + 1);
      expect(entries.at(-1)).toMatchObject({ cause: { kind: 'policy', revision: 1 + locks } });
    },
  );
});
