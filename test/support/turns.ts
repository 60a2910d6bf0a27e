import { setImmediate as turn } from 'node:timers/promises';

/** The most that is counted between two turns of the event loop while the work runs. Time is no measure: machines are busy. */
export async function longestStretch(counted: () => number, work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const before = counted();
      await turn();
      longest = Math.max(longest, counted() - before);
    }
  })();
  await work();
  isOver = true;
  await watching;
  return longest;
}

const LONG_STEP_MS = 10;

/** A clock for turns: each reading is later by more than a turn may last, so each look finds its turn long. */
export function clockOfLongTurns(): () => number {
  let now = performance.now();
  return () => (now += LONG_STEP_MS);
}

/** How often the event loop turned while the work ran. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}
