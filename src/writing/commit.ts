import type { Deadline } from '../config/breath.js';
import type { DocumentStore, DocumentWrite } from '../documents/document-store.js';
import type { AppendOutcome, EventStore, StreamAppend } from '../log/event-store.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { CommandReservation } from './write-context.js';

/** The things that one command makes durable. */
export interface CommitRequest {
  readonly reservation: CommandReservation | undefined;
  /** Inserts of new tenant accounts that the events name. */
  readonly accounts: readonly DocumentWrite[];
  readonly appends: readonly StreamAppend[];
  /** Nothing is appended once it is over. */
  readonly deadline: Deadline | undefined;
}

/**
 * Makes a command durable: no event names an account that is not stored, and no event of a keyed command is stored before its
 * reservation. Answers one outcome for each append, or `account_taken`: another process has inserted one of the accounts, and
 * nothing was appended.
 * @throws StoreUnavailableError
 */
export type Commit = (request: CommitRequest) => Promise<readonly AppendOutcome[] | 'account_taken'>;

type Stores = { readonly log: Pick<EventStore, 'append'>; readonly records: Pick<DocumentStore, 'write'> };

/** For embedded stores: log and records share one group commit, in the order asked. All of it is stored or nothing. */
export function commitTogether({ log, records }: Stores): Commit {
  return async ({ reservation, accounts, appends, deadline }) => {
    demandTime(deadline);
    // Asked for before anything is awaited, so that one commit holds all three.
    const reserved = reservation?.reserve();
    const inserted = accounts.length === 0 ? undefined : records.write(accounts);
    const [outcomes] = await Promise.all([log.append(appends), reserved, inserted]);
    return outcomes;
  };
}

/** For servers: the records first, then the events. A failure in between leaves accounts without a person. */
export function commitInOrder({ log, records }: Stores): Commit {
  return async ({ reservation, accounts, appends, deadline }) => {
    demandTime(deadline);
    const [inserted = []] = await Promise.all([
      accounts.length === 0 ? undefined : records.write(accounts),
      reservation?.reserve(),
    ]);
    if (inserted.some(({ kind }) => kind !== 'written')) return 'account_taken';
    demandTime(deadline);
    return log.append(appends);
  };
}

function demandTime(deadline: Deadline | undefined): void {
  if (deadline?.isOver !== true) return;
  throw new StoreUnavailableError('Request timed out before the append; nothing was written.', false);
}
