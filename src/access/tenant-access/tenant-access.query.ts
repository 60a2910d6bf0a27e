import { Inject, Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import { CALENDAR } from '../../config/injection-tokens.js';
import type { TenantPrincipal } from '../../http/authentication.js';
import { isKnown } from '../../http/pipeline/answer.js';
import { KEY_ISSUER, KeyIssues, type KeyIssuer } from '../../locks/index.js';
import type { Calendar } from '../core/decision.js';
import { answerOf, changesAt, issuesIn, withKeys, type TenantAccess } from './tenant-access.answer.js';
import { TenantHoldingsReader, type ReadHoldings } from './tenant-holdings.reader.js';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';

/**
 * The strong entity tag of an answer, and its length in characters. The tag covers all but `evaluated_at`, so it changes
 * only with the content. It also changes with the secret of the keys.
 */
export function entityTagOf(answer: TenantAccess): { readonly entity_tag: string; readonly length: number } {
  const { tenant, valid_until, refresh_at, units, entry_points } = answer;
  const content = JSON.stringify([tenant, valid_until, refresh_at, units, entry_points]);
  return { entity_tag: `"${hash('sha256', content, 'base64url')}"`, length: content.length };
}

/** Size limit of the cache, in characters of all answers. */
const CACHE_CHARACTERS = 32 * 1024 * 1024;

/** Milliseconds. The limit exists because a rebuild may correct a document without a new revision. */
const LONGEST_CACHED = 60_000;

/** A tenant's last answer. It is valid while its documents keep their revisions, and until `until`. */
interface CachedAnswer {
  /** Every document that the answer depends on, with its revision. */
  readonly versions: string;
  readonly entity_tag: string;
  readonly answer: TenantAccess;
  /** Characters of the answer. */
  readonly length: number;
  /** The answer is valid from this instant (milliseconds) on, before `until`. */
  readonly from: number;
  readonly until: number;
}

interface TenantAccessRead {
  readonly entity_tag: string;
  /** undefined: the client has this answer already. */
  readonly answer: TenantAccess | undefined;
}

/** Answers what a tenant may open at this instant, with the keys (specification §4.2, decisions §5). */
@Injectable()
export class TenantAccessQuery {
  /** By tenant. Contains keys, so it stays in memory. */
  readonly #cache = new LRUCache<string, CachedAnswer>({ maxSize: CACHE_CHARACTERS });

  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly issues: KeyIssues,
    @Inject(KEY_ISSUER) private readonly issuer: KeyIssuer,
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
      this.clocks.of(principal.company_id),
    ]);
    const now = clock.now();
    const versions = clock.isSandbox ? `sandbox ${holdings.versions}` : holdings.versions;
    const cached = this.#cache.get(principal.id);
    const isValid = cached?.versions === versions && cached.from <= now && now < cached.until;
    const { entity_tag, answer } = isValid
      ? cached
      : await this.#decide(holdings, versions, { now, isSandbox: clock.isSandbox });
    if (isKnown(known, entity_tag)) return { entity_tag, answer: undefined };
    return { entity_tag, answer: { ...answer, evaluated_at: toTimestamp(now) } };
  }

  async #decide(
    holdings: ReadHoldings,
    versions: string,
    { now, isSandbox }: { readonly now: number; readonly isSandbox: boolean },
  ): Promise<CachedAnswer> {
    const planned = answerOf(holdings, { now: () => now, isSandbox }, this.calendar);
    const answer = withKeys(planned, this.issuer);
    // Also if the keys are the same as before: the units that they were issued for may differ.
    await this.issues.record(issuesIn(planned, holdings), now);
    const until = Math.min(now + LONGEST_CACHED, changesAt(planned, holdings, now, this.calendar));
    const decided = { versions, answer, ...entityTagOf(answer), from: now, until };
    this.#cache.set(holdings.tenant.id, decided, { size: versions.length + decided.length });
    return decided;
  }
}
