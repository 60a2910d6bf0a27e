import type { Deadline } from './yielder.js';
import type { Clock } from './clock.js';

export interface RepeatedWorkOptions {
  readonly clock: Clock;
  /** Milliseconds from the end of one run to the next. */
  readonly interval: number | (() => number);
  /** Called after a failed run, unless the work was stopped. */
  readonly failed: (error: unknown) => void;
}

/** Repeats work. Each run begins an interval after the end of the one before. */
export class RepeatedWork implements Deadline {
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    private readonly options: RepeatedWorkOptions,
    private readonly work: () => Promise<void>,
  ) {}

  /** True after `stop`: the running work should end. */
  get isOver(): boolean {
    return this.#stopped;
  }

  start(): void {
    this.#stopped = false;
    this.#schedule();
  }

  /** Resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  #schedule(): void {
    const { clock, interval } = this.options;
    this.#cancel = clock.after(typeof interval === 'number' ? interval : interval(), () => {
      this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      if (!this.#stopped) this.options.failed(error);
    }
    if (!this.#stopped) this.#schedule();
  }
}
