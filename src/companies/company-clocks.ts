import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import { CompanyDirectory } from './company.directory.js';
import type { CompanyDocument } from './company.documents.js';

/** The time of one company (docs/adr/0010). It is as old as the read that asked for it: do not keep it. */
export interface CompanyClock {
  /** The current instant, in milliseconds since the Unix epoch. */
  now(): number;
  readonly isSandbox: boolean;
  /** Milliseconds ahead of the world's clock; 0 for every company that is no sandbox. */
  readonly ahead: number;
}

/**
 * The time by which a company lives: the world's, and for a sandbox as much later as its operator has set its clock forward.
 * How much that is stands in the company's document and is read each time it is asked for, so that no process goes on with
 * an old time once an advance was answered. That a company is no sandbox never changes, and costs one read.
 * @throws StoreUnavailableError from every method that answers a promise, also where a company is asked for that the views do
 *   not hold: taken for none that is a sandbox, its keys would open real doors
 */
@Injectable()
export class CompanyClocks {
  readonly #ordinary = new Set<string>();
  /** That of every company that is no sandbox. */
  readonly worlds: CompanyClock;

  constructor(
    @Inject(CLOCK) private readonly world: Clock,
    private readonly companies: CompanyDirectory,
  ) {
    this.worlds = { now: () => world.now(), isSandbox: false, ahead: 0 };
  }

  async of(company_id: string): Promise<CompanyClock> {
    if (this.#ordinary.has(company_id)) return this.worlds;
    return (await this.ofAll([company_id])).get(company_id)!;
  }

  /** By company. */
  async ofAll(company_ids: readonly string[]): Promise<ReadonlyMap<string, CompanyClock>> {
    const asked = [...new Set(company_ids)].filter((id) => !this.#ordinary.has(id));
    const found = asked.length === 0 ? [] : await this.companies.named(asked);
    const read = new Map<string, CompanyClock>();
    for (const [place, company] of found.entries()) {
      if (company === undefined) throw notInViews(asked[place]!);
      read.set(company._id, this.told(company));
      if (company.ahead_seconds === undefined) this.#ordinary.add(company._id);
    }
    return new Map(company_ids.map((id) => [id, read.get(id) ?? this.worlds]));
  }

  /** The current instant of a company, in milliseconds. */
  async now(company_id: string): Promise<number> {
    return (await this.of(company_id)).now();
  }

  /** The clocks that were set forward, by sandbox. */
  async ahead(): Promise<ReadonlyMap<string, CompanyClock>> {
    const sandboxes = await this.companies.ahead();
    return new Map(sandboxes.map((company) => [company._id, this.told(company)]));
  }

  /** The clock of a company that was read just now. */
  told({ ahead_seconds }: Pick<CompanyDocument, 'ahead_seconds'>): CompanyClock {
    if (ahead_seconds === undefined) return this.worlds;
    const ahead = ahead_seconds * 1_000;
    return { now: () => this.world.now() + ahead, isSandbox: true, ahead };
  }
}

function notInViews(company_id: string): StoreUnavailableError {
  return new StoreUnavailableError(`The views do not hold the company ${company_id}.`, false);
}
