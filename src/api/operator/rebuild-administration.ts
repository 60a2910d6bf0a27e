import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import type { Rebuild } from '#eventsourcing/projecting/rebuild-record.js';
import { secondsLeft, ViewsRebuild } from '#eventsourcing/projecting/views-rebuild.js';

const NEVER = {
  state: 'none',
  share_done: 0,
  seconds_left: null,
  requested_at: null,
  started_at: null,
  finished_at: null,
} as const;

/** Rebuilds the views from the log, for admins of all companies: the views show all of them (decisions §6). */
@Injectable()
export class RebuildAdministration {
  constructor(
    private readonly rebuild: ViewsRebuild,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 403 */
  async requestRebuild(principal: OperatorPrincipal) {
    assertAllCompanies(principal);
    return this.#present(await this.rebuild.request());
  }

  /** The newest rebuild. @throws ApiError 403 */
  async readRebuild(principal: OperatorPrincipal) {
    assertAllCompanies(principal);
    return this.#present(await this.rebuild.state());
  }

  #present(rebuild: Rebuild | undefined) {
    if (rebuild === undefined) return NEVER;
    return {
      state: rebuild.state,
      share_done: rebuild.share,
      seconds_left: secondsLeft(rebuild, this.clock),
      requested_at: toTimestamp(rebuild.requested_at),
      started_at: timestampOrNull(rebuild.started_at),
      finished_at: timestampOrNull(rebuild.finished_at),
    };
  }
}

/** @throws ApiError 403 */
function assertAllCompanies({ companies }: OperatorPrincipal): void {
  if (companies !== null) throw errorOf('forbidden');
}
