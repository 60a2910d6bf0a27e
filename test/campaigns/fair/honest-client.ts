import { fork } from 'node:child_process';
import { join } from 'node:path';

/** A unit that the honest client reads, and the token it reads it with. */
export interface Reader {
  readonly token: string;
  readonly path: string;
}

export interface HonestRun {
  /** Milliseconds of each read. */
  readonly delays: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
}

/** Reads units in another process until `end` is called. */
export function startHonestClient(port: number, readers: readonly Reader[]): { end(): Promise<HonestRun> } {
  const child = fork(join(__dirname, 'honest-client.cjs'), { execArgv: [] });
  const ended = new Promise<HonestRun>((resolve, reject) => {
    child.once('message', (run) => resolve(run as HonestRun));
    child.once('error', reject);
    child.once('exit', () => reject(new Error('The honest client ended without a result.')));
  });
  ended.catch(() => undefined);
  child.send({ port, readers });
  return {
    end: () => {
      child.send('end');
      return ended;
    },
  };
}
