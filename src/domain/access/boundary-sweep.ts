import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Logger } from '#kernel/logger.js';
import { CLOCK, LOGGER } from '#kernel/injection-tokens.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { TenantAccessViews } from './tenant-access/tenant-access.views.js';

/** A list by state runs its own sweep first, so this interval decides nothing but the views' age. */
const SWEEP_EVERY_MS = 1_000;
/** Each sandbox whose clock was ever advanced costs some reads, and few sandboxes are in use. */
const SWEEP_SANDBOXES_EVERY_MS = 10_000;

/** Decides units again when their `valid_until` has passed. Writes views only. */
@Injectable()
export class BoundarySweep {
  /** Two rounds, because the units of a sandbox may take long and must not delay the others. */
  readonly #rounds: readonly RepeatedWork[];

  constructor(@Inject(CLOCK) clock: Clock, @Inject(LOGGER) logger: Logger, views: TenantAccessViews) {
    const failed = (error: unknown) =>
      logger.warn({ error }, 'Decisions at a calendar boundary could not be evaluated again; trying again.');
    this.#rounds = [
      new RepeatedWork({ clock, failed, interval: SWEEP_EVERY_MS }, () => views.sweep([])),
      new RepeatedWork({ clock, failed, interval: SWEEP_SANDBOXES_EVERY_MS }, () => views.sweep()),
    ];
  }

  start(): void {
    for (const round of this.#rounds) round.start();
  }

  /** Resolves when the running sweep has ended; no other one starts. */
  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((round) => round.stop()));
  }
}
