import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorOf } from '../../http/api-error.js';
import { Public } from '../../http/authentication.js';
import { AnswersPages } from '../../http/route-options.js';
import { assetNamed } from './assets.js';

/** Scripts, styles and the icon. A name changes with its content, so browsers keep the file for a year. */
@Public()
@AnswersPages()
@Controller('dashboard/assets')
export class AssetsController {
  @Get(':asset')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  async one(@Param('asset') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const asset = assetNamed(name);
    if (asset === undefined) throw errorOf('not_found');
    await asset.send(request, response);
  }
}
