import { Inject, Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import { CALENDAR } from '../../config/injection-tokens.js';
import { isKnown, type TenantPrincipal } from '../../http/index.js';
import { KEY_ISSUER, type KeyIssuer, KeyIssues } from '../../locks/index.js';
import type { Calendar } from '../core/decision.js';
import { entityTagOf } from './entity-tag.js';
import { type KeptAnswer, KeptAnswers, LONGEST_KEPT } from './kept-answers.js';
import { answerOf, changesAt, issuesIn, type TenantAccess, withKeys } from './tenant-access.answer.js';
import { type ReadHoldings, TenantHoldingsReader } from './tenant-holdings.reader.js';

/** An answer, or that the client has it. */
export interface TenantAccessRead {
  readonly entity_tag: string;
  /** undefined where the client holds it already. */
  readonly answer: TenantAccess | undefined;
}

/** What a tenant may open at this instant, with the keys to it (specification §4.2, decisions §5). */
@Injectable()
export class TenantAccessQuery {
  readonly #kept = new KeptAnswers();

  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly issues: KeyIssues,
    @Inject(KEY_ISSUER) private readonly issuer: KeyIssuer,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * Every key of the answer is on record when the promise resolves.
   * @param known the tags of the answers that the client holds, as `If-None-Match` names them
   * @throws StoreUnavailableError; no key leaves then
   */
  async read(principal: TenantPrincipal, known?: string): Promise<TenantAccessRead> {
    const [holdings, clock] = await Promise.all([
      this.holdings.read(principal),
      this.clocks.of(principal.company_id),
    ]);
    const now = clock.now();
    const versions = clock.isSandbox ? `sandbox ${holdings.versions}` : holdings.versions;
    const { entity_tag, answer } =
      this.#kept.of(principal.id, versions, now) ??
      (await this.#made(holdings, versions, { now, isSandbox: clock.isSandbox }));
    if (isKnown(known, entity_tag)) return { entity_tag, answer: undefined };
    return { entity_tag, answer: { ...answer, evaluated_at: toTimestamp(now) } };
  }

  async #made(
    holdings: ReadHoldings,
    versions: string,
    { now, isSandbox }: { readonly now: number; readonly isSandbox: boolean },
  ): Promise<KeptAnswer> {
    const planned = answerOf(holdings, { now: () => now, isSandbox }, this.calendar);
    const answer = withKeys(planned, this.issuer);
    // The same keys may come from other units than those that they were given out for.
    await this.issues.record(issuesIn(planned, holdings), now);
    const until = Math.min(now + LONGEST_KEPT, changesAt(planned, holdings, now, this.calendar));
    const kept = { versions, answer, ...entityTagOf(answer), from: now, until };
    this.#kept.keep(holdings.tenant.id, kept);
    return kept;
  }
}
