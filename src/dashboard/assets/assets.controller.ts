import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AnswersPages, notFound, Public } from '../../http/index.js';
import { assetNamed } from './assets.js';

/** What the pages are made of beside HTML: under a name that changes with the content, and so kept for a year. */
@Public()
@AnswersPages()
@Controller('dashboard/assets')
export class AssetsController {
  @Get(':asset')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  one(@Param('asset') name: string, @Res() response: Response): void {
    const asset = assetNamed(name);
    if (asset === undefined) throw notFound();
    response.type(asset.type).send(asset.content);
  }
}
