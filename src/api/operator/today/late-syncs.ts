import { Injectable } from '@nestjs/common';
import { type ApiTokenRecord, ApiTokens, type CompanyClock, isValidToken } from '#domain/companies/index.js';
import { type OperatorScope, seesSite } from '#kernel/principals.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { UnitDirectory, unitStream } from '#domain/units/index.js';
import { PullTroubles } from '#pull/index.js';
import { rejectedBulkAnswer } from '../facility.answers.js';

/** A PMS that writes once a day is never silent for so long, in milliseconds. */
const SILENT_AFTER_MS = 26 * 60 * 60_000;

/** How long rejected rows of a push are listed, in milliseconds. */
const REJECTED_WITHIN_MS = 24 * 60 * 60_000;

/** Finds pull sources and API tokens that have stopped to bring data, or whose rows were rejected. Throws StoreUnavailableError. */
@Injectable()
export class LateSyncs {
  constructor(
    private readonly tokens: ApiTokens,
    private readonly pulls: PullTroubles,
    private readonly units: UnitDirectory,
  ) {}

  /**
   * Tokens and pull sources belong to a company as a whole: an operator of sites reads of rejected rows there alone.
   * @param clock of the company
   */
  async findLateSyncs(company_id: string, clock: CompanyClock, scope: OperatorScope) {
    const now = clock.now();
    // Tokens end by the real clock, also those of a sandbox.
    const realNow = now - clock.ahead;
    const tokens = (await this.tokens.list(company_id)).filter((token) => isValidToken(token, realNow));
    const rejected_bulks = tokens.flatMap((token) => rejectedBulk(token, realNow));
    if (scope.sites !== null) {
      const narrowed = rejected_bulks.map((bulk) => this.#rejectedAtSites(company_id, bulk, scope));
      const known = (await Promise.all(narrowed)).filter(({ error_count }) => error_count > 0);
      return { troubled_pull_sources: [], silent_tokens: [], rejected_bulks: known };
    }
    const troubled = await this.pulls.findTroubles(company_id, now);
    return {
      troubled_pull_sources: troubled.map((one) => ({
        ...one,
        last_run_at: timestampOrNull(one.last_run_at),
      })),
      silent_tokens: tokens.filter((token) => isSilent(token, realNow)).map(silentToken),
      rejected_bulks,
    };
  }

  /** Counts only the rows that the bulk named, of units at these sites: of the others nobody knows where they belong. */
  async #rejectedAtSites(company_id: string, bulk: RejectedBulkAnswer, scope: OperatorScope) {
    const named = [...new Set(bulk.reasons.flatMap(({ crm_unit_ids }) => crm_unit_ids))];
    const units = await this.units.byStreams(named.map((crm_unit_id) => unitStream(company_id, crm_unit_id)));
    const isSeen = (_: string, index: number) => {
      const unit = units[index];
      return unit !== undefined && seesSite(scope, unit);
    };
    const seen = new Set(named.filter(isSeen));
    const reasons = bulk.reasons.flatMap((reason) => {
      const crm_unit_ids = reason.crm_unit_ids.filter((one) => seen.has(one));
      return crm_unit_ids.length === 0 ? [] : [{ ...reason, rows: crm_unit_ids.length, crm_unit_ids }];
    });
    return { ...bulk, total: seen.size, error_count: seen.size, reasons };
  }
}

type RejectedBulkAnswer = ReturnType<typeof rejectedBulk>[number];

/** True if the token was used before, and not lately. */
function isSilent({ last_used_at }: ApiTokenRecord, now: number): boolean {
  return last_used_at !== null && last_used_at < now - SILENT_AFTER_MS;
}

function silentToken({ token_id, name, last_used_at }: ApiTokenRecord) {
  return { token_id, name, last_used_at: toTimestamp(last_used_at!) };
}

function rejectedBulk({ token_id, name, last_rejected_bulk: bulk }: ApiTokenRecord, now: number) {
  const isRecent = bulk !== undefined && bulk.at > now - REJECTED_WITHIN_MS;
  return isRecent ? [{ token_id, name, ...rejectedBulkAnswer(bulk) }] : [];
}
