import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { type PullSourceRecord, PullSources } from './pull-sources.js';

/** Finds the sources that are due, each by its company's clock. Every method throws StoreUnavailableError. */
@Injectable()
export class DueSources {
  constructor(
    private readonly sources: PullSources,
    private readonly clocks: CompanyClocks,
    @Inject(CLOCK) private readonly world: Clock,
  ) {}

  /**
   * The due sources, and the milliseconds until the next one becomes due: undefined if none will. Both are of one instant:
   * a source that becomes due between two instants would be in neither. The source that is due for the longest time comes
   * first, except for sandboxes.
   */
  async find(): Promise<{ readonly due: readonly PullSourceRecord[]; readonly wait: number | undefined }> {
    const now = this.world.now();
    const due = await this.sources.due(now);
    const next = await this.sources.firstDueAfter(now);
    const waits = next === undefined ? [] : [next - now];
    const found = new Set(due.map(({ _id }) => _id));
    for (const { source, wait } of await this.#ofSandboxes(now)) {
      if (wait > 0) waits.push(wait);
      else if (!found.has(source._id)) due.push(source);
    }
    return { due, wait: waits.length === 0 ? undefined : Math.min(...waits) };
  }

  /** Sources of sandboxes whose clock was set forward. The index of due sources knows only the real clock. */
  async #ofSandboxes(now: number): Promise<{ readonly source: PullSourceRecord; readonly wait: number }[]> {
    const found: { source: PullSourceRecord; wait: number }[] = [];
    for (const [company_id, clock] of await this.clocks.sandboxClocks()) {
      for (const source of await this.sources.listSources(company_id)) {
        if (source.next_run_at !== null) found.push({ source, wait: source.next_run_at - now - clock.ahead });
      }
    }
    return found;
  }
}
