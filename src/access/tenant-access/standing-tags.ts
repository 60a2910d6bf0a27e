import { hash } from 'node:crypto';
import type { ReadHoldings } from './tenant-holdings.reader.js';

/** Beyond so many all are forgotten: each is made again by its next read. */
const MOST_REMEMBERED = 10_000;

/** An answer's entity tag, and the span in which the same holdings are answered the same: from one instant to before the other. */
export interface StandingTag {
  readonly entity_tag: string;
  /** Milliseconds. */
  readonly from: number;
  /** Milliseconds; infinite where only a write makes another answer. */
  readonly until: number;
}

/**
 * The tags of tenants' last answers. An answer follows from the holdings, from whether the company is a sandbox, and from
 * the time: while none of these brings another, its tag is known without it.
 */
export class StandingTags {
  readonly #tags = new Map<string, { readonly versions: string; readonly tag: StandingTag }>();

  /** Undefined where the answer may be another than the last. */
  of(holdings: ReadHoldings, isSandbox: boolean, now: number): string | undefined {
    const last = this.#tags.get(holdings.tenant.id);
    if (last?.versions !== versionsOf(holdings, isSandbox)) return undefined;
    const { entity_tag, from, until } = last.tag;
    return from <= now && now < until ? entity_tag : undefined;
  }

  keep(holdings: ReadHoldings, isSandbox: boolean, tag: StandingTag): void {
    if (this.#tags.size >= MOST_REMEMBERED) this.#tags.clear();
    this.#tags.set(holdings.tenant.id, { versions: versionsOf(holdings, isSandbox), tag });
  }
}

/** Of one length however many units there are, for thousands of them are remembered. */
function versionsOf({ versions }: ReadHoldings, isSandbox: boolean): string {
  return hash('sha256', isSandbox ? `sandbox ${versions}` : versions, 'base64url');
}
