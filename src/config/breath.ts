import { setImmediate as turn } from 'node:timers/promises';

/** How much is done in one go, in pieces of some microseconds each: a stretch ends within some ten milliseconds. */
export const STRETCH = 2_000;

/** The deadline of the caller: once it is over, nobody waits for the answer. */
export interface Deadline {
  readonly isOver: boolean;
}

/** The caller has been told to come back: the work was not finished. */
export class GivenUpError extends Error {
  readonly code = 'given_up';

  constructor() {
    super('Request timed out; the rest of its work was not done.');
    this.name = 'GivenUpError';
  }
}

/** Lets other work run beside unbounded work. The worker reports its progress and pauses after each stretch. */
export class Breath {
  #done = 0;

  /** @param deadline of who asked, where somebody did */
  constructor(private readonly deadline?: Deadline) {}

  /**
   * @returns what is to be waited for where a stretch is over
   * @throws GivenUpError where nobody waits any more for what is done
   */
  after(pieces: number): Promise<void> | undefined {
    if (this.deadline?.isOver === true) throw new GivenUpError();
    this.#done += pieces;
    if (this.#done < STRETCH) return undefined;
    this.#done = 0;
    return turn();
  }
}

/**
 * Runs work that says at each step how many pieces it was, and breathes in between.
 * @param breath of all the work that this is a part of
 * @throws GivenUpError
 */
export async function breathing<Result>(
  work: Generator<number, Result>,
  breath = new Breath(),
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await breath.after(step.value);
  }
}
