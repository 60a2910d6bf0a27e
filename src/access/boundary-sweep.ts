import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';
import { CLOCK, LOGGER } from '../config/injection-tokens.js';
import { TenantAccessViews } from './tenant-access/tenant-access.views.js';

/** Lists by state are swept before they are read, so this only keeps the views near the calendar. */
const INTERVAL = 1_000;
/** Each sandbox that was ever set forward costs some reads, and somebody looks at few of them. */
const SANDBOXES_INTERVAL = 10_000;

/** Evaluates again, as time passes, the decisions that a calendar boundary has overtaken. Writes views only. */
@Injectable()
export class BoundarySweep {
  /** A sandbox's day may take long to evaluate, and must not hold up the others. */
  readonly #rounds: readonly Round[];

  constructor(@Inject(CLOCK) clock: Clock, @Inject(LOGGER) logger: Logger, views: TenantAccessViews) {
    this.#rounds = [
      new Round(clock, logger, INTERVAL, () => views.sweep([])),
      new Round(clock, logger, SANDBOXES_INTERVAL, () => views.sweep()),
    ];
  }

  /** Begins, or begins again after a stop. */
  start(): void {
    for (const round of this.#rounds) round.start();
  }

  /** Resolves once no sweep runs and none will. */
  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((round) => round.stop()));
  }
}

/** A sweep again and again, each an interval after the end of the one before. */
class Round {
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly interval: number,
    private readonly sweep: () => Promise<void>,
  ) {}

  start(): void {
    this.#stopped = false;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  #schedule(): void {
    this.#cancel = this.clock.after(this.interval, () => {
      this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(
        { error },
        'Decisions at a calendar boundary could not be evaluated again; trying again.',
      );
    }
    if (!this.#stopped) this.#schedule();
  }
}
