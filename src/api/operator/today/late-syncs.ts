import { Injectable } from '@nestjs/common';
import { type ApiTokenRecord, ApiTokens, type CompanyClock, isValidToken } from '#domain/companies/index.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
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
  ) {}

  /** @param clock of the company */
  async findLateSyncs(company_id: string, clock: CompanyClock) {
    const now = clock.now();
    // Tokens end by the real clock, also those of a sandbox.
    const realNow = now - clock.ahead;
    const tokens = (await this.tokens.list(company_id)).filter((token) => isValidToken(token, realNow));
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
