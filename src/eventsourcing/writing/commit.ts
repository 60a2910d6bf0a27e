import type { Deadline } from '#kernel/yielder.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { DocumentStore, DocumentWrite } from '#eventsourcing/documents/document-store.js';
import type { AppendOutcome, EventStore, StreamAppend } from '#eventsourcing/log/event-store.js';
import type { CommandReservation } from './write-context.js';

/** The writes of one command. */
export interface CommitRequest {
  readonly reservation: CommandReservation | undefined;
  /** Inserts of new tenant accounts that the events name. */
  readonly accounts: readonly DocumentWrite[];
  readonly appends: readonly StreamAppend[];
  /** Nothing is appended after it. */
  readonly deadline: Deadline | undefined;
}

/**
 * Makes a command durable. It stores accounts and the reservation before, or together with, the events that name them.
 * @returns one outcome for each append; `account_taken` if another process has inserted one of the accounts: then nothing
 *   was appended
 * @throws StoreUnavailableError
 */
export type Commit = (request: CommitRequest) => Promise<readonly AppendOutcome[] | 'account_taken'>;

type Stores = { readonly log: Pick<EventStore, 'append'>; readonly records: Pick<DocumentStore, 'write'> };

/**
 * For embedded stores: log and records share one group commit, so a crash leaves all writes or none. An append that is
 * refused leaves accounts that no event names. `account_taken` cannot happen: no other process inserts accounts.
 */
export function commitTogether({ log, records }: Stores): Commit {
  return async ({ reservation, accounts, appends, deadline }) => {
    assertInTime(deadline);
    // Without an `await` between the calls, or in what wraps the log, so that one commit contains all three.
    const reserved = reservation?.reserve();
    const inserted = accounts.length === 0 ? undefined : records.write(accounts);
    const [outcomes] = await Promise.all([log.append(appends), reserved, inserted]);
    return outcomes;
  };
}

/** For servers: the records first, then the events. A failure in between leaves accounts that no event names. */
export function commitInOrder({ log, records }: Stores): Commit {
  return async ({ reservation, accounts, appends, deadline }) => {
    assertInTime(deadline);
    const [inserted = []] = await Promise.all([
      accounts.length === 0 ? undefined : records.write(accounts),
      reservation?.reserve(),
    ]);
    if (inserted.some(({ kind }) => kind !== 'written')) return 'account_taken';
    assertInTime(deadline);
    return log.append(appends);
  };
}

function assertInTime(deadline: Deadline | undefined): void {
  if (deadline?.isOver !== true) return;
  throw new StoreUnavailableError('Request timed out before the append; nothing was written.', false);
}
