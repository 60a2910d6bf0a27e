import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../config/clock.js';
import { CALENDAR, CLOCK } from '../../config/injection-tokens.js';
import type { TenantPrincipal } from '../../http/index.js';
import { KEY_ISSUER, type KeyGrant, type KeyIssuer, KeyIssues } from '../../locks/index.js';
import type { Calendar } from '../core/decision.js';
import { entityTagOf, isKnown } from './entity-tag.js';
import { answerOf, grantsIn, type TenantAccess, withKeys } from './tenant-access.answer.js';
import { TenantHoldingsReader } from './tenant-holdings.reader.js';

/** A grant of nothing: its key tells what else the issuer makes keys of, its secret above all. */
const NOTHING: KeyGrant = { lock_id: '', unit_id: null, tenancy_id: null, tenant_id: '', expires_at: 0 };

/** An answer, or that the client has it. */
export interface TenantAccessRead {
  readonly entity_tag: string;
  /** undefined where the client holds it already. */
  readonly answer: TenantAccess | undefined;
}

/** What a tenant may open at this instant, with the keys to it (specification §4.2, decisions §5). */
@Injectable()
export class TenantAccessQuery {
  #keys: string | undefined;

  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly issues: KeyIssues,
    @Inject(KEY_ISSUER) private readonly issuer: KeyIssuer,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * No key is made for an answer that the client holds: those that it was given then are the same. The issue of every other
   * is recorded when the promise resolves.
   * @param known the tags of the answers that the client holds, as `If-None-Match` names them.
   * @throws StoreUnavailableError; no key leaves then.
   */
  async read(principal: TenantPrincipal, known?: string): Promise<TenantAccessRead> {
    const holdings = await this.holdings.read(principal);
    const answer = answerOf(holdings, this.clock.now(), this.calendar);
    const entity_tag = entityTagOf(answer, (this.#keys ??= this.issuer.issue(NOTHING)));
    if (isKnown(known, entity_tag)) return { entity_tag, answer: undefined };
    await this.issues.record(grantsIn(answer));
    return { entity_tag, answer: withKeys(answer, this.issuer) };
  }
}
