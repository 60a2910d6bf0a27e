import { createHash } from 'node:crypto';
import { Controller, Get, Headers, Injectable, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../authentication.js';
import { isKnown } from '../entity-tag.js';
import { SERVICE_VERSION } from '../../config/service-version.js';
import { Answers } from './answers.js';
import { DescribedRoutes } from './described-routes.js';
import { openApiDocument } from './document.js';

interface Served {
  readonly text: string;
  readonly etag: string;
}

/** The description of the running application, made once, when it is first asked for. */
@Injectable()
export class OpenApi {
  #served: Served | undefined;

  constructor(private readonly routes: DescribedRoutes) {}

  served(): Served {
    return (this.#served ??= this.#make());
  }

  #make(): Served {
    // Weak: compressed or not, it is the same description.
    const text = JSON.stringify(openApiDocument(this.routes.all(), SERVICE_VERSION));
    return { text, etag: `W/"${createHash('sha256').update(text).digest('base64url')}"` };
  }
}

/** OpenAPI 3.1 of every surface (decisions §9). */
@Public()
@Controller('api/v2/openapi.json')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Get()
  @Answers({
    summary: 'Read this description',
    also: [304],
    headers: ['ETag'],
    content: { type: 'application/json', schema: { type: 'object' } },
  })
  read(@Headers('if-none-match') known: string | undefined, @Res() response: Response): void {
    const { text, etag } = this.openApi.served();
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'public, no-cache');
    // What is compressed says so by itself; a 304 must say what its 200 does (RFC 9110 §15.4.5).
    response.vary('Accept-Encoding');
    if (isKnown(known, etag)) response.status(304).end();
    else response.type('application/json').send(text);
  }
}
