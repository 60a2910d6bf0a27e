import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { Authenticated } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { NotImplemented } from '../../http/route-options.js';

const ALL_PATHS = ['', '*path'];

/** Reserves the paths of webhooks. `NotImplemented` answers 501 before a handler runs (specification §4.3). */
@Authenticated('api_token')
@NotImplemented()
@Controller('api/v2/webhooks')
export class WebhooksController {
  @Get(ALL_PATHS)
  list(): void {}
  @Answers({
    id: 'createWebhook',
    summary: 'Not implemented',
    description:
      'Webhooks do not exist yet. Every method of this path and of all paths below it answers 501. Follow `GET /api/v2/events` instead.',
  })
  @Post()
  register(): void {}
  @Post('*path')
  registerBelow(): void {}
  @Put(ALL_PATHS)
  replace(): void {}
  @Patch(ALL_PATHS)
  change(): void {}
  @Delete(ALL_PATHS)
  remove(): void {}
}
