import fc from 'fast-check';
import type { Calendar } from '#domain/access/core/decision.js';
import type { TenantUnit } from '#domain/access/index.js';
import { Yielder } from '#kernel/yielder.js';
import { backtestRun, type Proposal } from '#domain/history/backtest/backtest-run.js';
import type { Logged } from '#domain/history/core/unit-record.js';
import type { UnitRecordReader } from '#domain/history/unit-record.reader.js';
import {
  evolve,
  tenantsNamed,
  type UnitDocument,
  type UnitEvent,
  type UnitState,
} from '#domain/units/index.js';
import { runs, upTo } from '../../support/campaign.js';
import { HOUR, live, moves, movesOfOneTenant, START } from './support/live-world.js';
import { naiveBacktest, naiveDenied, underPolicy } from './support/naive-backtest.js';
import { calendar, facts, movedIn, POLICY, RecordedLog, registered } from './support/recorded.js';

/** Reads a log in the making, and says how often. */
class CountedReader {
  readonly reads = new Map<string, number>();
  /** How often a unit of a tenant's list was looked at. */
  looks = 0;

  constructor(
    private readonly log: RecordedLog,
    private readonly units: readonly string[],
  ) {}

  get asReader(): UnitRecordReader {
    return this as unknown as UnitRecordReader;
  }

  async *pagesOf(stream: string): AsyncGenerator<readonly Logged<UnitEvent>[], void> {
    this.reads.set(stream, (this.reads.get(stream) ?? 0) + 1);
    const { own } = this.log.recordOf(stream);
    for (let from = 0; from < own.length; from += 3) yield await Promise.resolve(own.slice(from, from + 3));
  }

  unitsOf(tenants: readonly string[]): Promise<Map<string, readonly TenantUnit[]>> {
    const known = (tenant: string) =>
      this.units.filter((unit) =>
        this.log.recordOf(unit).own.some((event) => tenantsNamed(event).includes(tenant)),
      );
    const asUnit = (stream: string) => {
      const revision = this.revisionOf(stream);
      const look = () => {
        this.looks += 1;
        return stream;
      };
      return Object.defineProperty({ revision }, 'stream', { get: look }) as TenantUnit;
    };
    return Promise.resolve(new Map(tenants.map((tenant) => [tenant, known(tenant).map(asUnit)])));
  }

  revisionOf(stream: string): number {
    return this.log.recordOf(stream).own.length - 1;
  }

  /** No view is known: the log is read. */
  newest(): Promise<[]> {
    return Promise.resolve([]);
  }

  /** As the views show them, but for the time of the last event: each is read if it is asked about. */
  get documents(): UnitDocument[] {
    return this.units.map((unit) => {
      const { own } = this.log.recordOf(unit);
      const state = own.reduce<UnitState | undefined>(
        (before, event) => evolve(before, event, event.revision),
        undefined,
      )!;
      return { ...state, _id: unit } as UnitDocument;
    });
  }

  get tied(): ReadonlySet<string> {
    const tenantsOf = (unit: string) => new Set(this.log.recordOf(unit).own.flatMap(tenantsNamed));
    const counts = new Map<string, number>();
    for (const unit of this.units)
      for (const tenant of tenantsOf(unit)) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
    const isTied = (unit: string) => [...tenantsOf(unit)].some((tenant) => counts.get(tenant)! > 1);
    return new Set(this.units.filter(isTied));
  }
}

/** All units, in as many runs as it takes. */
async function backtest(
  reader: CountedReader,
  proposal: Omit<Proposal, 'details' | 'tied'> & { log: RecordedLog },
  by: Calendar = calendar,
) {
  const { location: details } = proposal.log.recordOf('location');
  const { documents, tied } = reader;
  const tried = [];
  while (tried.length < documents.length) {
    const run = backtestRun(reader.asReader, by, new Yielder(), { ...proposal, details, tied });
    const some = await run.try(documents.slice(tried.length));
    expect(some.length).toBeGreaterThan(0);
    tried.push(...some);
  }
  return tried;
}

const policies = fc.record({
  grace_period_days: fc.constantFrom(0, 2, 5),
  balance_threshold: fc.constantFrom(0, 50),
  blanket_delinquency: fc.boolean(),
  delinquency_mode: fc.constantFrom('automatic' as const, 'pms_flag_only' as const),
  timezone: fc.constantFrom('America/Chicago', 'UTC'),
});

describe('a backtest', () => {
  it('tells what two whole histories tell, however many runs it takes', async () => {
    const begins = fc.integer({ min: -24, max: 40 * 24 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(moves, movesOfOneTenant),
        policies,
        begins,
        fc.integer({ min: 1, max: 150 }),
        async (given, policy, hours, mostEvents) => {
          const { log, units, now } = live(given);
          const tried = { from: Math.min(now, START + hours * HOUR), until: now };
          const reader = new CountedReader(log, units);
          for (const { unit, shown } of await backtest(reader, { log, policy, tried, mostEvents })) {
            if (shown !== undefined) {
              const { spans, denied } = shown;
              expect(spans).toEqual(naiveBacktest(log.recordOf(unit._id), policy, tried));
              const record = log.recordOf(unit._id);
              expect(new Set(denied.actual)).toEqual(naiveDenied(record, tried));
              expect(new Set(denied.proposed)).toEqual(naiveDenied(underPolicy(record, policy), tried));
            } else
              expect(units.reduce((sum, one) => sum + reader.revisionOf(one) + 1, 0)).toBeGreaterThan(
                mostEvents,
              );
          }
        },
      ),
      runs(upTo(80, 300)),
    );
  });

  it('tells the same of units that have long been quiet', async () => {
    const shares = fc.integer({ min: 0, max: 100 });
    await fc.assert(
      fc.asyncProperty(moves, policies, shares, async (given, policy, share) => {
        const { log, units, now } = live(given);
        const tried = { from: START + Math.floor(((now - START) * share) / 100), until: now };
        for (const { unit, shown } of await backtest(new CountedReader(log, units), { log, policy, tried })) {
          const record = log.recordOf(unit._id);
          expect(shown!.spans).toEqual(naiveBacktest(record, policy, tried));
          expect(new Set(shown!.denied.actual)).toEqual(naiveDenied(record, tried));
        }
      }),
      runs(upTo(150, 300)),
    );
  });

  describe('of a unit that owes nothing now', () => {
    const DAY = 24 * HOUR;
    const owing = facts({ balance_due: 5_000, paid_through_date: '2025-02-20' });
    const paid = facts({ balance_due: 0 });
    const tried = { from: START, until: START + 5 * DAY };
    const policy = { ...POLICY, grace_period_days: 30 };
    const spansIn = async (log: RecordedLog, ...units: readonly string[]) => {
      const reader = new CountedReader(log, units);
      const results = await backtest(reader, { log, policy, tried });
      const spansOf = (unit: string) => results.find((one) => one.unit._id === unit)!.shown!.spans.length;
      return { reads: reader.reads.size, spans: units.map(spansOf) };
    };
    const rented = (...units: readonly string[]) => {
      const log = new RecordedLog();
      for (const unit of units) log.write(unit, START - 40 * DAY, registered(unit), movedIn(`of ${unit}`));
      return log;
    };

    it('reads no event if it paid before', async () => {
      const log = rented('a')
        .write('a', START - 9 * DAY, owing)
        .write('a', START - DAY, paid);
      log.write('a', START + DAY, facts({ paid_through_date: '2025-04-01' }));
      expect(await spansIn(log, 'a')).toEqual({ reads: 0, spans: [0] });
    });

    it('finds that it was locked out, if it paid within the time', async () => {
      const log = rented('a')
        .write('a', START - 9 * DAY, owing)
        .write('a', START + DAY, paid);
      expect(await spansIn(log, 'a')).toEqual({ reads: 1, spans: [1] });
    });

    it('finds that it was locked out by another unit of its tenant', async () => {
      const log = new RecordedLog({ ...POLICY, blanket_delinquency: true });
      for (const unit of ['a', 'b']) log.write(unit, START - 40 * DAY, registered(unit), movedIn());
      log.write('b', START - 9 * DAY, owing).write('b', START + DAY, paid);
      expect(await spansIn(log, 'a', 'b')).toEqual({ reads: 2, spans: [1, 1] });
    });
  });

  it('of a tenant of many units reads each stream once, and decides as often as something happened', async () => {
    const log = new RecordedLog();
    const units = Array.from({ length: 200 }, (_, number) => `unit ${number}`);
    let now = START;
    for (const unit of units) log.write(unit, now, registered(unit), movedIn());
    const WRITES = 10;
    for (let write = 0; write < WRITES; write += 1) {
      for (const [place, unit] of units.entries()) {
        now += HOUR / 100;
        const owes = (place + write) % 2 === 0;
        log.write(unit, now, facts({ balance_due: owes ? 5_000 : 0, paid_through_date: '2025-01-01' }));
      }
    }
    let asked = 0;
    const counted: Calendar = {
      dateAt: (...given) => {
        asked += 1;
        return calendar.dateAt(...given);
      },
      startOf: (...given) => calendar.startOf(...given),
      instantOf: (...given) => calendar.instantOf(...given),
      addDays: (...given) => calendar.addDays(...given),
    };
    const reader = new CountedReader(log, units);
    const tried = { from: START, until: now };
    const policy = { ...POLICY, balance_threshold: 9_000 };
    const results = await backtest(reader, { log, policy, tried }, counted);
    expect(results.filter(({ shown }) => shown!.spans.length > 0)).toHaveLength(200);
    expect([...reader.reads.values()]).toEqual(units.map(() => 1));
    // Each event is looked at for itself and for the others, in both worlds; each for each other would be 400,000.
    expect(asked).toBeLessThan(8 * WRITES * units.length);
  });

  it('of a tenant of many units looks through the list of them a few times, not once for each', async () => {
    const log = new RecordedLog();
    const units = Array.from({ length: 200 }, (_, number) => `unit ${number}`);
    for (const unit of units) log.write(unit, START, registered(unit), movedIn());
    const reader = new CountedReader(log, units);
    const tried = { from: START, until: START + HOUR };
    const results = await backtest(reader, { log, policy: POLICY, tried });
    expect(results.every(({ shown }) => shown !== undefined)).toBe(true);
    expect(reader.looks).toBeLessThan(10 * units.length);
  });
});
