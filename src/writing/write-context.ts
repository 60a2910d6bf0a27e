import type { Deadline } from '../config/yielder.js';
import type { Actor } from '../log/domain-event.js';

/** The request that asked for a write, as far as the write must know it. */
export interface WriteContext {
  readonly command_id: string;
  readonly request_id: string;
  readonly actor: Actor;
  /** The command may have been done by an attempt that was cut off: the log is asked before deciding. */
  readonly recovering: boolean;
  /** The caller's deadline. Once it is over, nothing new is appended. */
  readonly deadline?: Deadline | undefined;
  /**
   * Judges the caller's rights again. Called after each wait for others (decisions §6). Absent where nobody called.
   * @throws ApiError 401, 403, 404. @throws StoreUnavailableError
   */
  readonly demandRights?: () => Promise<void>;
  /** Makes the command known to a retry; absent without a key. */
  readonly reservation?: CommandReservation | undefined;
}

/** Stands for a command under a key. */
export interface CommandReservation {
  /**
   * Asked for right before an append: in the same turn, and waited for with it, where the log and the records commit together
   * what one turn asks of them; otherwise waited for first. Resolves once it is durable; asked again, it is nothing new.
   * @throws StoreUnavailableError
   */
  reserve(): Promise<void>;
  /** How a write has ended: whether all of it is in the log, where a retry finds its answer. */
  wrote(isInLog: boolean): void;
}
