import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { Authenticated, NotImplemented } from '../../http/index.js';

const ANYWHERE = ['', '*path'];

/** Where webhooks would be registered: whoever calls is told before a handler is reached (specification §4.3). */
@Authenticated('api_token')
@NotImplemented()
@Controller('api/v2/webhooks')
export class WebhooksController {
  @Get(ANYWHERE) list(): void {}
  @Post(ANYWHERE) register(): void {}
  @Put(ANYWHERE) replace(): void {}
  @Patch(ANYWHERE) change(): void {}
  @Delete(ANYWHERE) remove(): void {}
}
