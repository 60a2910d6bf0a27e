import type { DocumentStore, WriteOutcome } from '../../../src/documents/document-store.js';
import type { IdempotencyRecord } from '../../../src/http/idempotency/idempotency-record.js';
import { Reservation } from '../../../src/http/idempotency/reservation.js';
import { ManualClock } from '../../support/manual-clock.js';

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

describe('a reservation that joins the commit of what it is for', () => {
  it('is given up no sooner than it is stored, so that whoever retries finds it', async () => {
    const { store, settle } = heldStore();
    let hasEnded = false;
    const ports = { store, clock: new ManualClock(), joins: true, keepsBehind: true };
    const reservation = new Reservation(ports, RECORD, false, false, () => (hasEnded = true));
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
    const ports = { store, clock: new ManualClock(), joins: true, keepsBehind: true };
    const reservation = new Reservation(ports, RECORD, false, false, () => undefined);
    const both = [reservation.reserve(), reservation.reserve()];
    expect(settle).toHaveLength(1);
    settle[0]!();
    await Promise.all(both);
  });
});
