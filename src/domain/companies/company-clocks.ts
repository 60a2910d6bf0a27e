import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { CompanyDirectory } from './company.directory.js';
import type { CompanyDocument } from './company.documents.js';

/** The clock of one company (docs/adr/0010). Do not cache it: a sandbox's operator may advance it at any time. */
export interface CompanyClock {
  /** The current instant, in milliseconds since the Unix epoch. */
  now(): number;
  readonly isSandbox: boolean;
  /** Milliseconds ahead of the world's clock; 0 for a company that is not a sandbox. */
  readonly ahead: number;
}

/**
 * The clocks of companies. A sandbox's clock is ahead of the world's clock by the seconds in the company's document. The
 * document is read each time, so that every process uses the new time after an advance was answered. A company that is
 * not a sandbox never becomes one, so it is read once.
 * @throws StoreUnavailableError from every asynchronous method, also if the views do not contain the company: treated as an
 *   ordinary company, a sandbox's keys would open real doors
 */
@Injectable()
export class CompanyClocks {
  readonly #ordinary = new Set<string>();
  /** The clock of every company that is not a sandbox. */
  readonly worldClock: CompanyClock;

  constructor(
    @Inject(CLOCK) private readonly world: Clock,
    private readonly companies: CompanyDirectory,
  ) {
    this.worldClock = { now: () => world.now(), isSandbox: false, ahead: 0 };
  }

  async findClock(company_id: string): Promise<CompanyClock> {
    if (this.#ordinary.has(company_id)) return this.worldClock;
    return (await this.findClocks([company_id])).get(company_id)!;
  }

  /** By company. */
  async findClocks(company_ids: readonly string[]): Promise<ReadonlyMap<string, CompanyClock>> {
    const asked = [...new Set(company_ids)].filter((id) => !this.#ordinary.has(id));
    const found = asked.length === 0 ? [] : await this.companies.named(asked);
    const read = new Map<string, CompanyClock>();
    for (const [index, company] of found.entries()) {
      if (company === undefined) throw notInViews(asked[index]!);
      read.set(company._id, this.clockOf(company));
      if (company.ahead_seconds === undefined) this.#ordinary.add(company._id);
    }
    return new Map(company_ids.map((id) => [id, read.get(id) ?? this.worldClock]));
  }

  /** The current instant of a company, in milliseconds. */
  async now(company_id: string): Promise<number> {
    return (await this.findClock(company_id)).now();
  }

  /** The clocks of sandboxes that were ever advanced, by company. */
  async sandboxClocks(): Promise<ReadonlyMap<string, CompanyClock>> {
    const sandboxes = await this.companies.ahead();
    return new Map(sandboxes.map((company) => [company._id, this.clockOf(company)]));
  }

  /** @param company as it was read just now */
  clockOf({ ahead_seconds }: Pick<CompanyDocument, 'ahead_seconds'>): CompanyClock {
    if (ahead_seconds === undefined) return this.worldClock;
    const ahead = ahead_seconds * 1_000;
    return { now: () => this.world.now() + ahead, isSandbox: true, ahead };
  }
}

/** The views lag: a company that something names must exist. */
export function notInViews(company_id: string): StoreUnavailableError {
  return new StoreUnavailableError(`The views do not contain the company ${company_id}.`, false);
}
