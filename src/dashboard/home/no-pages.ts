import { Get } from '@nestjs/common';
import { errorOf } from '../../http/api-error.js';
import { Public } from '../../http/authentication.js';
import { SeeOther } from '../frame/page.js';
import { Pages } from '../frame/pages.js';

/** The way in, and what is said of addresses that lead nowhere. */
@Public()
@Pages('')
export class NoPages {
  @Get()
  root(): SeeOther {
    return new SeeOther('/dashboard');
  }

  @Get('dashboard/*path')
  nothing(): never {
    throw errorOf('not_found');
  }
}
