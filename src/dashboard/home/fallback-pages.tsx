import { Get, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { errorOf } from '#kernel/errors/api-error.js';
import { Public } from '#web/authentication.js';
import { methodsAt, type RoutedApplication } from '#web/route-table.js';
import { SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';

const ANY_PATH = 'dashboard/*path';

/** The way in, and the answer at addresses without a page. */
@Public()
@Pages('')
export class FallbackPages {
  constructor(private readonly adapters: HttpAdapterHost) {}

  @Get()
  root(): SeeOther {
    return new SeeOther('/dashboard');
  }

  /** A form's own address leads to the page above it: a refused form leaves that address in the browser. */
  @Get(ANY_PATH)
  nothing(@Req() { path }: Request): SeeOther {
    if (this.#methodsAt(path).includes('POST'))
      for (let page = above(path); page !== ''; page = above(page))
        if (this.#methodsAt(page).includes('GET')) return new SeeOther(page);
    throw errorOf('not_found');
  }

  #methodsAt(path: string): string[] {
    const application = this.adapters.httpAdapter.getInstance<RoutedApplication>();
    return methodsAt(application, path, `/${ANY_PATH}`);
  }
}

function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
