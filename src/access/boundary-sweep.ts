import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';
import { CLOCK, LOGGER } from '../config/injection-tokens.js';
import { RepeatedWork } from '../config/repeated-work.js';
import { TenantAccessViews } from './tenant-access/tenant-access.views.js';

/** Lists by state are swept before they are read, so this only keeps the views near the calendar. */
const INTERVAL = 1_000;
/** Each sandbox that was ever set forward costs some reads, and somebody looks at few of them. */
const SANDBOXES_INTERVAL = 10_000;

/** Evaluates again, as time passes, the decisions that a calendar boundary has overtaken. Writes views only. */
@Injectable()
export class BoundarySweep {
  /** A sandbox's day may take long to evaluate, and must not hold up the others. */
  readonly #rounds: readonly RepeatedWork[];

  constructor(@Inject(CLOCK) clock: Clock, @Inject(LOGGER) logger: Logger, views: TenantAccessViews) {
    const failed = 'Decisions at a calendar boundary could not be evaluated again; trying again.';
    this.#rounds = [
      new RepeatedWork({ clock, logger, failed, interval: INTERVAL }, () => views.sweep([])),
      new RepeatedWork({ clock, logger, failed, interval: SANDBOXES_INTERVAL }, () => views.sweep()),
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
