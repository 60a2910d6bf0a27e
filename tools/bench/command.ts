import { spawn } from 'node:child_process';
import { endedChildrensProcessorSeconds, memoryOf } from './process-figures.js';

/** The cost of a command, with its start. */
export interface CommandFigures {
  /** The number of events in its output. */
  readonly events: number;
  readonly seconds: number;
  /** Processor time of all threads. Undefined if the system does not show it. */
  readonly cpuSeconds: number | undefined;
  /** The highest use of memory, in bytes. Undefined if the system does not show it. */
  readonly peakBytes: number | undefined;
}

const MEMORY_INTERVAL = 100;

/**
 * Runs a Node program that prints how many events it has handled. No other child of this process may end meanwhile.
 * @param argv options of Node, the script and its parameters
 * @throws Error if it fails
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
  // A process that has just ended has no memory. Then the last figure is kept.
  const readMemory = () => (peakBytes = memoryOf(child.pid!)?.peak || peakBytes);
  const timer = setInterval(readMemory, MEMORY_INTERVAL);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(timer);
  const seconds = (performance.now() - began) / 1_000;
  const used = endedChildrensProcessorSeconds();
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${written}`);
  const cpuSeconds = used === undefined || usedBefore === undefined ? undefined : used - usedBefore;
  return { events: eventsIn(written), seconds, cpuSeconds, peakBytes };
}

/** The number of events in the output of a command. @throws Error if there is none */
export function eventsIn(text: string): number {
  const events = /\b(\d+) events\b/.exec(text)?.[1];
  if (events === undefined) throw new Error(`The command did not say how many events there are: ${text}`);
  return Number(events);
}
