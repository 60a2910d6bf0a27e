import type { EventStoreDbTimings } from '#stores/eventstoredb/index.js';
import type { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import type { ManualClock } from '../../support/manual-clock.js';
import { HUNG, waitUntil } from '../../support/wait-until.js';
import { PATIENT, QUICK } from './fixture.js';

/** For a store under {@link PassingTime}: no try and no call is given up because the machine is slow. */
export const UNENDING: EventStoreDbTimings = { ...PATIENT, appendDeadline: Infinity, readDeadline: Infinity };

/**
 * Ends a store's pauses between tries while a test waits, each as soon as it is looked at; and moves time on once an
 * answer was lost, so that the try that waits for it in vain is given up. Nothing else is.
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
      if (answersLost > this.lost) this.clock.advance(HUNG);
      else this.clock.advanceToNext(QUICK.backOff.longest);
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
