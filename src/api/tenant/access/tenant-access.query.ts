import { Inject, Injectable } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { isKnown } from '#web/entity-tag.js';
import { KeyIssuer, KeyIssues } from '#domain/locks/index.js';
import {
  answerHoldings,
  type Calendar,
  issueKeys,
  recordsOfKeys,
  type ReadHoldings,
  type TenantAccess,
  TenantHoldingsReader,
} from '#domain/access/index.js';
import { entityTagOf } from './answer-tag.js';
import { LastAnswers, LONGEST_KEPT_MS, type LastAnswer } from './last-answers.js';

interface TenantAccessRead {
  readonly entity_tag: string;
  /** undefined: the client has this answer already. */
  readonly answer: TenantAccess | undefined;
}

/** Answers what a tenant may open at this instant, with the keys (specification §4.2, decisions §5). */
@Injectable()
export class TenantAccessQuery {
  readonly #kept = new LastAnswers();

  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly issues: KeyIssues,
    private readonly issuer: KeyIssuer,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * Every key of the answer is recorded before the promise resolves.
   * @param known the value of `If-None-Match`: the tags of the answers that the client has
   * @throws StoreUnavailableError; then no key is given out
   */
  async read(principal: TenantPrincipal, known?: string): Promise<TenantAccessRead> {
    const [holdings, clock] = await Promise.all([
      this.holdings.read(principal),
      this.clocks.findClock(principal.company_id),
    ]);
    const now = clock.now();
    const versions = clock.isSandbox ? `sandbox ${holdings.versions}` : holdings.versions;
    const { entity_tag, answer } =
      this.#kept.find(principal.id, versions, now) ??
      (await this.#decide(holdings, versions, { now, isSandbox: clock.isSandbox }));
    if (isKnown(known, entity_tag)) return { entity_tag, answer: undefined };
    return { entity_tag, answer: { ...answer, evaluated_at: toTimestamp(now) } };
  }

  async #decide(
    holdings: ReadHoldings,
    versions: string,
    { now, isSandbox }: { readonly now: number; readonly isSandbox: boolean },
  ): Promise<LastAnswer> {
    const answered = answerHoldings(holdings, { now: () => now, isSandbox }, this.calendar);
    const answer = issueKeys(answered.answer, this.issuer);
    // Also if the keys are the same as before: the units that they were issued for may differ.
    await this.issues.record(recordsOfKeys(answered.answer), now);
    const until = Math.min(now + LONGEST_KEPT_MS, answered.changes_at);
    const decided = { versions, answer, ...entityTagOf(answer), from: now, until };
    this.#kept.keep(holdings.tenant.id, decided);
    return decided;
  }
}
