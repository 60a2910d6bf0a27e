import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { Authenticated } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { NotImplemented } from '../../http/route-options.js';

const ANYWHERE = ['', '*path'];

/** The place of webhooks. Every caller is told so before a handler is reached (specification §4.3). */
@Authenticated('api_token')
@NotImplemented()
@Controller('api/v2/webhooks')
export class WebhooksController {
  @Get(ANYWHERE)
  list(): void {}
  @Answers({
    id: 'createWebhook',
    summary: 'Not implemented',
    description:
      'Webhooks do not exist yet. Every method of this path and of all paths below it answers 501. Follow `GET /api/v2/events` instead.',
  })
  @Post(ANYWHERE)
  register(): void {}
  @Put(ANYWHERE)
  replace(): void {}
  @Patch(ANYWHERE)
  change(): void {}
  @Delete(ANYWHERE)
  remove(): void {}
}
