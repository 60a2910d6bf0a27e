import type { Deadline } from '#kernel/yielder.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';

/** The parts of a request that a write needs. */
export interface WriteContext {
  readonly command_id: string;
  readonly request_id: string;
  readonly actor: Actor;
  /** True if an interrupted attempt may have done the command: then the log is read first. */
  readonly recovering: boolean;
  /** The caller's deadline. After it nothing is appended. */
  readonly deadline?: Deadline | undefined;
  /**
   * Checks the caller's rights again. Called after each wait for other writes (decisions §6). Absent without a caller.
   * @throws ApiError 401, 403, 404. @throws StoreUnavailableError
   */
  readonly assertRights?: () => Promise<void>;
  /** Absent without an `Idempotency-Key`. */
  readonly reservation?: CommandReservation | undefined;
}

/** The reservation of an `Idempotency-Key` for a command. A retry finds the command by it. */
export interface CommandReservation {
  /**
   * Stores the reservation. Called right before the append. On embedded stores both share a commit, because there is no
   * `await` between the calls. Resolves when it is durable. A repeated call has no effect.
   * @throws StoreUnavailableError
   */
  reserve(): Promise<void>;
  /** Called at the end of a write. @param isInLog true if all of it is in the log, where a retry finds the answer */
  wrote(isInLog: boolean): void;
}
