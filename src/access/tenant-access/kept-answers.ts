import { LRUCache } from 'lru-cache';
import type { TenantAccess } from './tenant-access.answer.js';

/** How many characters all kept answers have together, at most. The one that was read least recently goes first. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/**
 * Milliseconds after which an answer is made anew in any case. A rebuild may mend a document without a new revision.
 */
export const LONGEST_KEPT = 60_000;

/** A tenant's last answer with what it was made of. It is answered again while neither a write nor the time changes it. */
export interface KeptAnswer {
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
export class KeptAnswers {
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
