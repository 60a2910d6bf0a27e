import { LRUCache } from 'lru-cache';
import type { TenantAccess } from '#domain/access/index.js';

/** All kept answers together. The one that was not read for longest goes first. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The limit exists because a rebuild may correct a document without a new revision. */
export const LONGEST_KEPT_MS = 60_000;

/** A tenant's last answer. It is valid while its documents keep their revisions, and until `until`. */
export interface LastAnswer {
  /** Every document that the answer depends on, with its revision. */
  readonly versions: string;
  readonly entity_tag: string;
  readonly answer: TenantAccess;
  /** Characters of the answer. */
  readonly length: number;
  /** The answer is valid from this instant (milliseconds) on, before `until`. */
  readonly from: number;
  /** At most {@link LONGEST_KEPT_MS} later. */
  readonly until: number;
}

/** The last answer of each tenant. It contains keys, so it stays in memory. */
export class LastAnswers {
  readonly #answers = new LRUCache<string, LastAnswer>({ maxSize: MOST_CHARACTERS });

  /** Undefined if the tenant's answer may differ by now. @param now milliseconds */
  find(tenant_id: string, versions: string, now: number): LastAnswer | undefined {
    const kept = this.#answers.get(tenant_id);
    const isValid = kept?.versions === versions && kept.from <= now && now < kept.until;
    return isValid ? kept : undefined;
  }

  /** The keys of the answer must have been recorded. */
  keep(tenant_id: string, answer: LastAnswer): void {
    this.#answers.set(tenant_id, answer, { size: answer.versions.length + answer.length });
  }
}
