import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { ChildServer } from '../../../tools/bench/child-server.js';

/** A unit that the honest client reads, and the token it reads it with. */
export interface Reader {
  readonly token: string;
  readonly path: string;
}

/** In milliseconds. */
interface HonestRead {
  readonly delay: number;
  /** The delay without the time in which the service or the client was ready to run but had no processor. */
  readonly byService: number;
}

export interface HonestRun {
  readonly reads: readonly HonestRead[];
  readonly statuses: Readonly<Record<string, number>>;
}

/** Reads units in another process until `end` is called. */
export function startHonestClient(
  { port, pid }: Pick<ChildServer, 'port' | 'pid'>,
  readers: readonly Reader[],
): { end(): Promise<HonestRun> } {
  const child = fork(join(__dirname, 'honest-client.cjs'), { execArgv: [] });
  const ended = new Promise<HonestRun>((resolve, reject) => {
    child.once('message', (run) => resolve(run as HonestRun));
    child.once('error', reject);
    child.once('exit', () => reject(new Error('The honest client ended without a result.')));
  });
  ended.catch(() => undefined);
  child.send({ port, pid, readers });
  return {
    end: () => {
      child.send('end');
      return ended;
    },
  };
}
