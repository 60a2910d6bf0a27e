import { Controller, Get, Header, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { errorOf } from '#kernel/errors/api-error.js';
import { Public } from '#web/authentication.js';
import type { Reply } from '#web/reply.js';
import { AnswersPages } from '#web/route-options.js';
import { assetNamed } from './assets.js';

/** Scripts, styles, the font and icons. A name changes with its content, so browsers keep the file for a year. */
@Public()
@AnswersPages()
@Controller('dashboard/assets')
export class AssetsController {
  @Get(':asset')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  one(@Param('asset') name: string, @Req() request: Request): Promise<Reply> {
    const asset = assetNamed(name);
    if (asset === undefined) throw errorOf('not_found');
    return asset.replyTo(request);
  }
}
