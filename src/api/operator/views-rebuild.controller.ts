import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import * as schema from '#web/openapi/schemas.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { RebuildAdministration } from './rebuild-administration.js';

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

/** Rebuilds the views from the log while the service runs (decisions §6). */
@ForOperators('admin')
@ForSiteOperators('refused')
@Controller('api/operator/views/rebuild')
export class ViewsRebuildController {
  constructor(private readonly rebuilds: RebuildAdministration) {}

  @Post()
  @HttpCode(202)
  @Answers({
    id: 'rebuildViews',
    description: 'Only for an admin of all companies. Requests are served meanwhile.',
    summary: 'Rebuild the views from the log',
    data: REBUILD_SCHEMA,
  })
  async request(@Context() { principal }: OperatorContext) {
    return envelope(await this.rebuilds.requestRebuild(principal));
  }

  @Get()
  @Answers({
    id: 'getRebuild',
    description: '`share_done` and `seconds_left` are estimates. `none`: no rebuild was ever requested.',
    summary: 'Read the progress of the newest rebuild',
    data: REBUILD_SCHEMA,
  })
  async state(@Context() { principal }: OperatorContext) {
    return envelope(await this.rebuilds.readRebuild(principal));
  }
}
