import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { type PullSourceRecord, PullSources } from './pull-sources.js';

/** Which sources are due, each by its company's clock. @throws StoreUnavailableError from every method */
@Injectable()
export class DueSources {
  constructor(
    private readonly sources: PullSources,
    private readonly clocks: CompanyClocks,
    @Inject(CLOCK) private readonly world: Clock,
  ) {}

  /** All of them, the longest due first among those that go by the world's clock. */
  async now(): Promise<PullSourceRecord[]> {
    const due = await this.sources.due(this.world.now());
    const found = new Set(due.map(({ _id }) => _id));
    for (const { source, wait } of await this.#ofSandboxes()) {
      if (wait <= 0 && !found.has(source._id)) due.push(source);
    }
    return due;
  }

  /** Milliseconds until the first that is not due yet will be; undefined where there is none. */
  async wait(): Promise<number | undefined> {
    const now = this.world.now();
    const next = await this.sources.firstDueAfter(now);
    const waits = (await this.#ofSandboxes()).map(({ wait }) => wait).filter((wait) => wait > 0);
    if (next !== undefined) waits.push(next - now);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** Sources that wait by a clock that was set forward: the index of due sources is in the order of the world's clock. */
  async #ofSandboxes(): Promise<{ readonly source: PullSourceRecord; readonly wait: number }[]> {
    const found: { source: PullSourceRecord; wait: number }[] = [];
    for (const [company_id, clock] of await this.clocks.ahead()) {
      for (const source of await this.sources.ofCompany(company_id)) {
        if (source.next_run_at !== null) found.push({ source, wait: source.next_run_at - clock.now() });
      }
    }
    return found;
  }
}
