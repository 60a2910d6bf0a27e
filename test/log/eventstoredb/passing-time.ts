import type { EventStoreDbTimings } from '../../../src/log/eventstoredb/index.js';
import type { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import type { ManualClock } from '../../support/manual-clock.js';
import { HUNG, waitUntil } from '../../support/wait-until.js';
import { PATIENT } from './fixture.js';

/** For a store under {@link PassingTime}: no try and no call is given up because the machine is slow. */
export const UNENDING: EventStoreDbTimings = { ...PATIENT, appendDeadline: Infinity, readDeadline: Infinity };

/**
 * Lets a store's time pass while a test waits, no faster than it does, so that pauses between tries end; and moves it on
 * once an answer was lost, so that the try that waits for it in vain is given up.
 */
export class PassingTime {
  private lost = 0;

  constructor(
    private readonly clock: ManualClock,
    private readonly double: EventStoreDbDouble,
  ) {}

  async until(isDone: () => boolean): Promise<void> {
    await waitUntil(() => {
      const { answersLost } = this.double.faults;
      this.clock.advance(answersLost > this.lost ? HUNG : 5);
      this.lost = answersLost;
      return isDone();
    });
  }

  async untilEnded<Value>(call: Promise<Value>): Promise<Value> {
    let hasEnded = false;
    const end = () => (hasEnded = true);
    call.then(end, end);
    await this.until(() => hasEnded);
    return call;
  }
}
