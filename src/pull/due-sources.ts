import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { type PullSourceRecord, PullSources } from './pull-sources.js';

/** Finds the sources that are due, each by its company's clock. Every method throws StoreUnavailableError. */
@Injectable()
export class DueSources {
  constructor(
    private readonly sources: PullSources,
    private readonly clocks: CompanyClocks,
    @Inject(CLOCK) private readonly world: Clock,
  ) {}

  /** All due sources. The one that is due for the longest time comes first, except for sandboxes. */
  async now(): Promise<PullSourceRecord[]> {
    const due = await this.sources.due(this.world.now());
    const found = new Set(due.map(({ _id }) => _id));
    for (const { source, wait } of await this.#ofSandboxes()) {
      if (wait <= 0 && !found.has(source._id)) due.push(source);
    }
    return due;
  }

  /** Milliseconds until the next source becomes due. Undefined if none will. */
  async wait(): Promise<number | undefined> {
    const now = this.world.now();
    const next = await this.sources.firstDueAfter(now);
    const waits = (await this.#ofSandboxes()).map(({ wait }) => wait).filter((wait) => wait > 0);
    if (next !== undefined) waits.push(next - now);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** Sources of sandboxes whose clock was set forward. The index of due sources knows only the real clock. */
  async #ofSandboxes(): Promise<{ readonly source: PullSourceRecord; readonly wait: number }[]> {
    const found: { source: PullSourceRecord; wait: number }[] = [];
    for (const [company_id, clock] of await this.clocks.sandboxClocks()) {
      for (const source of await this.sources.ofCompany(company_id)) {
        if (source.next_run_at !== null) found.push({ source, wait: source.next_run_at - clock.now() });
      }
    }
    return found;
  }
}
