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
 * The strong entity tag of an answer, and its length in characters. The tag covers all but `evaluated_at`: it stands still while
 * nothing changes, and changes with the secret that keys are made with.
 */
export function entityTagOf(answer: TenantAccess): { readonly entity_tag: string; readonly length: number } {
  const { tenant, valid_until, refresh_at, units, entry_points } = answer;
  // The members of an answer always come in the same order.
  const matters = JSON.stringify([tenant, valid_until, refresh_at, units, entry_points]);
  return { entity_tag: `"${hash('sha256', matters, 'base64url')}"`, length: matters.length };
}

/** How many characters all kept answers have together, at most. The one that was read least recently goes first. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/**
 * Milliseconds after which an answer is made anew in any case. A rebuild may mend a document without a new revision.
 */
const LONGEST_KEPT = 60_000;

/** A tenant's last answer with what it was made of. It is answered again while neither a write nor the time changes it. */
interface KeptAnswer {
  /** Names every document that the answer was made of, at its revision. */
  readonly versions: string;
  readonly entity_tag: string;
  readonly answer: TenantAccess;
  /** Characters of the answer. */
  readonly length: number;
  /** The answer holds from this instant (milliseconds) on, before `until`. */
  readonly from: number;
  /** At most {@link LONGEST_KEPT} later. */
  readonly until: number;
}

/** Tenants' last answers with their keys: in memory only. */
class KeptAnswers {
  readonly #answers = new LRUCache<string, KeptAnswer>({ maxSize: MOST_CHARACTERS });

  /** Undefined where the tenant's answer may be another by now. */
  of(tenant_id: string, versions: string, now: number): KeptAnswer | undefined {
    const kept = this.#answers.get(tenant_id);
    return kept?.versions === versions && kept.from <= now && now < kept.until ? kept : undefined;
  }

  /** The keys in the answer must be on record. */
  keep(tenant_id: string, kept: KeptAnswer): void {
    this.#answers.set(tenant_id, kept, { size: kept.versions.length + kept.length });
  }
}

/** An answer, or that the client has it. */
interface TenantAccessRead {
  readonly entity_tag: string;
  /** undefined where the client holds it already. */
  readonly answer: TenantAccess | undefined;
}

/** Tells which things a tenant may open at this instant, with the keys (specification §4.2, decisions §5). */
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
