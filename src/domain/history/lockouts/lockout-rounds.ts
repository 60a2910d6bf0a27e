import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Clock } from '#kernel/clock.js';
import type { Logger } from '#kernel/logger.js';
import { CLOCK, LOGGER } from '#kernel/injection-tokens.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { LockoutDays } from './lockout-days.js';

/** Milliseconds between two checks of all locations. */
const CHECK_EVERY_MS = 60_000;

/** Counts the lockouts of all locations: soon after each local midnight, and for today again from time to time. */
@Injectable()
export class LockoutRounds {
  readonly #counting: RepeatedWork;

  constructor(
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
    private readonly clocks: CompanyClocks,
    private readonly locations: LocationDirectory,
    private readonly days: LockoutDays,
  ) {
    const failed = (error: unknown) =>
      logger.warn({ error }, 'Lockouts by day could not be counted; trying again.');
    this.#counting = new RepeatedWork({ clock, failed, interval: CHECK_EVERY_MS }, () => this.#countDue());
  }

  start(): void {
    this.#counting.start();
  }

  stop(): Promise<void> {
    return this.#counting.stop();
  }

  async #countDue(): Promise<void> {
    const locations = await this.locations.locationsOfCompanies('all');
    const known = await this.days.readDays(locations.map(({ _id }) => _id));
    const revisions = await this.locations.eachShownUpTo(locations.map(({ _id }) => _id));
    const clocks = await this.clocks.findClocks(locations.map(({ company_id }) => company_id));
    for (const [index, location] of locations.entries()) {
      const now = clocks.get(location.company_id)!.now();
      if (this.#counting.isOver) return;
      if (this.days.isDue(location, known[index], { now, location_revision: revisions[index]! }))
        await this.days.count(location, known[index], now, this.#counting);
    }
  }
}
