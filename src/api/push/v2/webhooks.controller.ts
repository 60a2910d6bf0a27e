import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import { Answers } from '#web/openapi/answers.js';
import { NotImplemented } from '#web/route-options.js';

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
      'An API token adds no webhooks. Every method of this path and of all paths below it answers 501. An admin adds webhooks with `POST /api/operator/companies/{company_id}/webhooks`; or follow `GET /api/v2/events`.',
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
