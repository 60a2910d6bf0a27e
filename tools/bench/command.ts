import { spawn } from 'node:child_process';
import { endedChildrensProcessorSeconds, memoryOf } from './process-figures.js';

/** The cost of a command, its start included. */
export interface CommandFigures {
  /** How many it says that there are. */
  readonly events: number;
  readonly seconds: number;
  /** Processor time, all threads; undefined where the system does not tell. */
  readonly cpuSeconds: number | undefined;
  /** The most memory that it held, in bytes; undefined where the system does not tell. */
  readonly peakBytes: number | undefined;
}

const LOOK_EVERY = 100;

/**
 * Runs a program of Node whose output says how many events it has handled; no other child of this process may end meanwhile.
 * @param argv options of Node, the script and what it is given
 * @throws Error where it fails
 */
export async function runCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandFigures> {
  const usedBefore = endedChildrensProcessorSeconds();
  const began = performance.now();
  const child = spawn(process.execPath, argv, {
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
  const used = endedChildrensProcessorSeconds();
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${written}`);
  const cpuSeconds = used === undefined || usedBefore === undefined ? undefined : used - usedBefore;
  return { events: eventsIn(written), seconds, cpuSeconds, peakBytes };
}

/** How many events there are, as a command says at its end. @throws Error where it says nothing of the kind */
export function eventsIn(text: string): number {
  const events = /\b(\d+) events\b/.exec(text)?.[1];
  if (events === undefined) throw new Error(`The command did not say how many events there are: ${text}`);
  return Number(events);
}
