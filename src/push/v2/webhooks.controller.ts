import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { Answers, Authenticated, NotImplemented } from '../../http/index.js';

const ANYWHERE = ['', '*path'];

/** Where webhooks would be registered: whoever calls is told before a handler is reached (specification §4.3). */
@Authenticated('api_token')
@NotImplemented()
@Controller('api/v2/webhooks')
export class WebhooksController {
  @Answers({ summary: 'Not implemented' })
  @Get(ANYWHERE)
  list(): void {}
  @Answers({ summary: 'Not implemented' })
  @Post(ANYWHERE)
  register(): void {}
  @Answers({ summary: 'Not implemented' })
  @Put(ANYWHERE)
  replace(): void {}
  @Answers({ summary: 'Not implemented' })
  @Patch(ANYWHERE)
  change(): void {}
  @Answers({ summary: 'Not implemented' })
  @Delete(ANYWHERE)
  remove(): void {}
}
