import type { ServiceError } from '@grpc/grpc-js';
import type { Disk } from './disk.js';
import type { EventLog, StoredEvent } from './event-log.js';
import type { Faults } from './faults.js';

/** Parts that the services of a node share. */
export interface NodeContext {
  readonly log: EventLog;
  readonly faults: Faults;
  /** The server caps every batch append's deadline at this many milliseconds. */
  readonly longestDeadline: number;
  /** What appends wait for. */
  readonly disk: Pick<Disk, 'write'> | undefined;
  /** Every batch append as it arrived, by stream. */
  readonly received: {
    readonly stream: string;
    readonly ids: readonly string[];
    readonly expected: unknown;
  }[];
  /** Messages that made them up. */
  messages: number;
  /** Batch appends that were told that their time is over. */
  timeouts: number;
  /** What this node can read: a follower lags. */
  visible(): readonly StoredEvent[];
  /** The error for a call that insists on the leader, where this node is not it. */
  refusal(requiresLeader: boolean): ServiceError | undefined;
  /** Cuts every connection, as a killed process does. */
  die(): void;
  /**
   * Registers an open call, to be ended by a fault.
   * @param finish ends it as if all were well @returns forgets it.
   */
  open(kind: 'append' | 'subscription', end: (error: ServiceError) => void, finish?: () => void): () => void;
}
