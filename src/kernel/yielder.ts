import { TURNS } from './turns.js';

/** A step takes some microseconds. So this many take about ten milliseconds, of which no clock needs to tell. */
export const STEPS_PER_TURN = 2_000;

/** The caller's deadline. After it, nobody waits for the answer. */
export interface Deadline {
  readonly isOver: boolean;
}

/** The request timed out, so its work was stopped. */
export class GivenUpError extends Error {
  readonly code = 'given_up';

  constructor() {
    super('Request timed out; the rest of its work was not done.');
  }
}

/**
 * Keeps long work from blocking the event loop: the work reports its steps, and waits after every {@link STEPS_PER_TURN},
 * or sooner in a long turn.
 */
export class Yielder {
  #done = 0;

  /** @param deadline of the request, if there is one */
  constructor(private readonly deadline?: Deadline) {}

  /**
   * @returns a promise to await, or undefined
   * @throws GivenUpError after the deadline
   */
  after(steps: number): Promise<void> | undefined {
    if (this.deadline?.isOver === true) throw new GivenUpError();
    this.#done += steps;
    const pause = this.#done < STEPS_PER_TURN ? TURNS.pauseIfLong() : TURNS.next();
    if (pause !== undefined) this.#done = 0;
    return pause;
  }
}

/**
 * Runs a generator that yields the number of steps it has done, without blocking the event loop.
 * @param yielder shared with the other parts of the same work
 * @throws GivenUpError
 */
export async function runYielding<Result>(
  work: Generator<number, Result>,
  yielder = new Yielder(),
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const pause = yielder.after(step.value);
    if (pause !== undefined) await pause;
  }
}
