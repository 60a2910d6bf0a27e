import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { memoryOf } from '../process-figures.js';

/** What `views rebuild` took. */
export interface RebuildFigures {
  readonly events: number;
  /** Of the whole command, its start included. */
  readonly seconds: number;
  /** The most memory that it held, in bytes; undefined where the system does not tell. */
  readonly peakBytes: number | undefined;
}

const LOOK_EVERY = 100;

/**
 * Runs the rebuild of a build beside its `main.js`, on data that no process holds.
 * @throws Error where it fails
 */
export async function rebuildViews(
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<RebuildFigures> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(dirname(script), 'cli.js'), 'views', 'rebuild'], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
  let peakBytes: number | undefined;
  // A process that has just ended has no memory: what it said before stands.
  const look = () => (peakBytes = memoryOf(child.pid!)?.peak || peakBytes);
  const looking = setInterval(look, LOOK_EVERY);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(looking);
  const seconds = (performance.now() - began) / 1_000;
  if (status !== 0) throw new Error(`views rebuild ended with ${status}: ${written}`);
  return { events: eventsIn(written), seconds, peakBytes };
}

/** How many events the views hold, as the command says at its end. @throws Error where it says nothing of the kind */
export function eventsIn(text: string): number {
  const events = /the views hold (\d+) events/.exec(text)?.[1];
  if (events === undefined) throw new Error(`views rebuild did not say how many events there are: ${text}`);
  return Number(events);
}
