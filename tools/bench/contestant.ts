import type { ChildServer } from './child-server.js';
import type { Target } from './scenarios.js';

/** What takes part in a run: a server that is prepared for every scenario. */
export interface Contestant {
  readonly label: string;
  readonly server: Pick<ChildServer, 'processorSeconds'>;
  readonly target: Target;
  /** Ends its processes and removes its data. */
  stop(): Promise<unknown>;
}
