import { Injectable } from '@nestjs/common';
import {
  type ApiTokenRecord,
  ApiTokens,
  type CompanyClock,
  isValidToken,
  joinRejections,
  REJECTED_WITHIN_MS,
  RejectionsAtSites,
} from '#domain/companies/index.js';
import type { OperatorScope, Site } from '#kernel/principals.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { PullTroubles } from '#pull/index.js';
import { rejectedBulkAnswer } from '../facility.answers.js';

/** A PMS that writes once a day is never silent for so long, in milliseconds. */
const SILENT_AFTER_MS = 26 * 60 * 60_000;

/** Finds pull sources and API tokens that have stopped to bring data, or whose rows were rejected. Throws StoreUnavailableError. */
@Injectable()
export class LateSyncs {
  constructor(
    private readonly tokens: ApiTokens,
    private readonly pulls: PullTroubles,
    private readonly rejections: RejectionsAtSites,
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
    if (scope.sites !== null) {
      const sites = scope.sites.filter((site) => site.company_id === company_id);
      const rejected_bulks = await this.#rejectedAtSites(tokens, sites, realNow);
      return { troubled_pull_sources: [], silent_tokens: [], rejected_bulks };
    }
    const troubled = await this.pulls.findTroubles(company_id, now);
    return {
      troubled_pull_sources: troubled.map((one) => ({
        ...one,
        last_run_at: timestampOrNull(one.last_run_at),
      })),
      silent_tokens: tokens.filter((token) => isSilent(token, realNow)).map(silentToken),
      rejected_bulks: tokens.flatMap((token) => rejectedBulk(token, realNow)),
    };
  }

  /** The newest bulk of each site. Sites of the same bulk are one entry. */
  async #rejectedAtSites(tokens: readonly ApiTokenRecord[], sites: readonly Site[], now: number) {
    const token_ids = tokens.map(({ token_id }) => token_id);
    const location_ids = sites.map(({ location_id }) => location_id);
    const found = await this.rejections.find(token_ids, location_ids, now);
    return tokens.flatMap(({ token_id, name }) => {
      const ofToken = found.filter((one) => one.token_id === token_id);
      const instants = [...new Set(ofToken.map(({ at }) => at))];
      return instants.map((at) => {
        const bulk = joinRejections(ofToken.filter((one) => one.at === at));
        return { token_id, name, ...rejectedBulkAnswer(bulk) };
      });
    });
  }
}

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
