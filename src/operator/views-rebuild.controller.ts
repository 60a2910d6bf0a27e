import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { type Clock, timestampOrNull, toTimestamp } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { errorOf } from '../http/api-error.js';
import { Answers } from '../http/openapi/answers.js';
import * as schema from '../http/openapi/schemas.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../http/request-context.js';
import type { Rebuild } from '../projecting/rebuild-record.js';
import { secondsLeft, ViewsRebuild } from '../projecting/views-rebuild.js';

const { instant, nullable, number, object, oneOf, says, whole } = schema;

const REBUILD_SCHEMA = object({
  state: says(
    '`none` if no rebuild was ever requested.',
    oneOf(['none', 'waiting', 'running', 'done', 'failed']),
  ),
  share_done: says('Share of the work that is done, 0 to 1.', number),
  seconds_left: says('Estimate of the seconds left. Null if there is none.', nullable(whole)),
  requested_at: says('Instant of the request. Null if there was none.', nullable(instant)),
  started_at: says('Instant of the start. Null before it.', nullable(instant)),
  finished_at: says('Instant of the end. Null before it.', nullable(instant)),
});

const NEVER = {
  state: 'none',
  share_done: 0,
  seconds_left: null,
  requested_at: null,
  started_at: null,
  finished_at: null,
} as const;

/** Rebuilds the views from the log while the service runs (decisions §6). */
@ForOperators('admin')
@Controller('api/operator/views/rebuild')
export class ViewsRebuildController {
  constructor(
    private readonly rebuild: ViewsRebuild,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(202)
  @Answers({
    id: 'rebuildViews',
    description: 'Only for an admin of all companies. Requests are served meanwhile.',
    summary: 'Rebuild the views from the log',
    data: REBUILD_SCHEMA,
  })
  async request(@Context() context: OperatorContext) {
    demandAllCompanies(context);
    return envelope(rebuildAnswer(await this.rebuild.request(), this.clock));
  }

  @Get()
  @Answers({
    id: 'getRebuild',
    description: '`share_done` and `seconds_left` are estimates. `none`: no rebuild was ever requested.',
    summary: 'Read the progress of the newest rebuild',
    data: REBUILD_SCHEMA,
  })
  async state(@Context() context: OperatorContext) {
    demandAllCompanies(context);
    return envelope(rebuildAnswer(await this.rebuild.state(), this.clock));
  }
}

/** @throws ApiError 403: the views show all companies */
function demandAllCompanies({ principal }: OperatorContext): void {
  if (principal.companies !== null) throw errorOf('forbidden');
}

function rebuildAnswer(rebuild: Rebuild | undefined, clock: Clock) {
  if (rebuild === undefined) return NEVER;
  return {
    state: rebuild.state,
    share_done: rebuild.share,
    seconds_left: secondsLeft(rebuild, clock),
    requested_at: toTimestamp(rebuild.requested_at),
    started_at: timestampOrNull(rebuild.started_at),
    finished_at: timestampOrNull(rebuild.finished_at),
  };
}
