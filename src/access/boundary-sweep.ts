import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';
import { CLOCK, LOGGER } from '../config/injection-tokens.js';
import { TenantAccessViews } from './tenant-access/tenant-access.views.js';

/** Lists by state are swept before they are read, so this only keeps the views near the calendar. */
const INTERVAL = 1_000;

/** Evaluates again, as time passes, the decisions that a calendar boundary has overtaken. Writes views only. */
@Injectable()
export class BoundarySweep {
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly views: TenantAccessViews,
  ) {}

  /** Begins, or begins again after a stop. */
  start(): void {
    this.#stopped = false;
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel = this.clock.after(INTERVAL, () => {
      this.#running = this.#sweep();
    });
  }

  /** Resolves once no sweep runs and none will. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  async #sweep(): Promise<void> {
    try {
      await this.views.sweep();
    } catch (error) {
      this.logger.warn(
        { error },
        'Decisions at a calendar boundary could not be evaluated again; trying again.',
      );
    }
    if (!this.#stopped) this.#schedule();
  }
}
