import type { Actor } from '../log/domain-event.js';

/** What a write knows of the request that asked for it. */
export interface WriteContext {
  readonly command_id: string;
  readonly request_id: string;
  readonly actor: Actor;
  /** The command may have been done by an attempt that was cut off: the log is asked before deciding. */
  readonly recovering: boolean;
  /**
   * Asked right before anything is appended, in the same turn: throws where what makes the command known to a retry was
   * asked of the store and refused meanwhile. @throws StoreUnavailableError
   */
  readonly demandReserved?: (() => void) | undefined;
}
