import type { EventStore } from '#eventsourcing/log/event-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { withMembers } from './with-members.js';

/** What goes wrong with the next appends; nothing, unless a test says so. */
export class AppendFaults {
  /** Appends that store everything and then fail, as if the connection had ended before the answer. */
  answersToLose = 0;
  /** Appends that fail and store nothing. */
  refusals = 0;
  /** Called before each append. */
  beforeAppend: () => Promise<void> = () => Promise.resolve();
}

/** The same store, with appends that fail on demand. */
export function withAppendFaults(store: EventStore, faults: AppendFaults): EventStore {
  const append: EventStore['append'] = async (appends) => {
    await faults.beforeAppend();
    if (faults.refusals > 0) {
      faults.refusals -= 1;
      throw new StoreUnavailableError('The store refuses, as the test wants it.', false);
    }
    const outcomes = await store.append(appends);
    if (faults.answersToLose > 0) {
      faults.answersToLose -= 1;
      throw new StoreUnavailableError('The answer was lost, as the test wants it.', true);
    }
    return outcomes;
  };
  return withMembers(store, { append });
}
