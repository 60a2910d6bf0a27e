import type { DocumentStore, WriteOutcome } from '#eventsourcing/documents/document-store.js';
import type { IdempotencyRecord } from '#web/pipeline/idempotency-record.js';
import { Reservation } from '#web/pipeline/reservation.js';
import { ManualClock } from '../support/manual-clock.js';

const RECORD: IdempotencyRecord = {
  _id: 'company key',
  version: 1,
  request_hash: 'hash',
  command_id: 'command',
  owner: 'this process',
  lease_until: 0,
  expires_at: 0,
  answer: null,
};

/** Writes settle when the test says so. */
function heldStore() {
  const settle: (() => void)[] = [];
  const write = () =>
    new Promise<WriteOutcome[]>((resolve) => settle.push(() => resolve([{ kind: 'written' }])));
  return { store: { write } as unknown as DocumentStore, settle };
}

describe('a reservation that joins the commit of its write', () => {
  it('is released only after it is stored, so that a retry finds it', async () => {
    const { store, settle } = heldStore();
    let hasEnded = false;
    const ports = { store, clock: new ManualClock(), joins: true };
    const reservation = new Reservation(
      ports,
      RECORD,
      { recovering: false, isReserved: false },
      () => (hasEnded = true),
      { giveUp: () => undefined },
    );
    void reservation.reserve();
    const abandoned = reservation.abandon();
    // Whatever would be done without waiting has been done by then.
    await new Promise((turn) => setImmediate(turn));
    expect(hasEnded).toBe(false);
    settle.forEach((one) => one());
    await abandoned;
    expect(hasEnded).toBe(true);
  });

  it('is stored once, however often it is asked for', async () => {
    const { store, settle } = heldStore();
    const ports = { store, clock: new ManualClock(), joins: true };
    const reservation = new Reservation(
      ports,
      RECORD,
      { recovering: false, isReserved: false },
      () => undefined,
      { giveUp: () => undefined },
    );
    const both = [reservation.reserve(), reservation.reserve()];
    expect(settle).toHaveLength(1);
    settle[0]!();
    await Promise.all(both);
  });
});

describe('a lease', () => {
  const renewed = (outcome: () => Promise<WriteOutcome[]>) => {
    const clock = new ManualClock();
    const writes: number[] = [];
    const store = {
      write: () => {
        writes.push(clock.now());
        return outcome();
      },
    } as unknown as DocumentStore;
    const request = { isOver: false, giveUp: () => void (request.isOver = true) };
    const begun = clock.now();
    const record = { ...RECORD, lease_until: begun + 12_000 };
    const ports = { store, clock, joins: false };
    new Reservation(ports, record, { recovering: false, isReserved: true }, () => undefined, request);
    const pass = async (milliseconds: number) => {
      clock.advance(milliseconds);
      await new Promise((turn) => setImmediate(turn));
    };
    return { request, pass, renewals: () => writes.map((instant) => instant - begun) };
  };

  it('is renewed every 4 s', async () => {
    const { request, pass, renewals } = renewed(() => Promise.resolve([{ kind: 'written' }]));
    for (let count = 0; count < 4; count += 1) await pass(4_000);
    expect([renewals(), request.isOver]).toEqual([[4_000, 8_000, 12_000, 16_000], false]);
  });

  it('that another process took ends the time of the request, so that it appends nothing more', async () => {
    const { request, pass, renewals } = renewed(() => Promise.resolve([{ kind: 'version_conflict' }]));
    await pass(4_000);
    expect(request.isOver).toBe(true);
    await pass(12_000);
    expect(renewals()).toEqual([4_000]);
  });

  it('that cannot be renewed ends the time of the request before it runs out', async () => {
    const { request, pass } = renewed(() => Promise.reject(new Error('away')));
    await pass(4_000);
    expect(request.isOver).toBe(false);
    await pass(4_000);
    expect(request.isOver).toBe(true);
  });
});
