import type { ChildServer } from './child-server.js';
import type { Target } from './scenarios.js';

/** A server in the run, prepared for every scenario. */
export interface Contestant {
  readonly label: string;
  readonly server: Pick<ChildServer, 'processorSeconds'>;
  readonly target: Target;
  /** Ends its processes and removes its data. */
  stop(): Promise<unknown>;
}
