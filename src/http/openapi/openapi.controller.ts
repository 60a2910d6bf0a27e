import { Controller, Get, Injectable, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../authentication.js';
import { isKnown } from '../pipeline/answer.js';
import { PublicContent } from '../public-content.js';
import { SERVICE_VERSION } from '../../config/service-version.js';
import { Answers, type RouteDescription } from './answers.js';
import { DescribedRoutes } from './described-routes.js';
import { type Edition, openApiDocument } from './document.js';

interface Served {
  readonly content: PublicContent;
  readonly etag: string;
}

/** The descriptions of the running application. Each is made once, at the first request. */
@Injectable()
export class OpenApi {
  readonly #served = new Map<Edition, Served>();

  constructor(private readonly routes: DescribedRoutes) {}

  served(edition: Edition = 'current'): Served {
    const known = this.#served.get(edition) ?? this.#make(edition);
    this.#served.set(edition, known);
    return known;
  }

  #make(edition: Edition): Served {
    const text = JSON.stringify(openApiDocument(this.routes.all(), SERVICE_VERSION, edition));
    const content = new PublicContent('application/json; charset=utf-8', text);
    // A weak tag, because compressed and plain forms share it.
    return { content, etag: `W/"${content.fingerprint}"` };
  }
}

const DESCRIBED: RouteDescription = {
  id: 'getOpenApi',
  description:
    'This document. `/api/v2/openapi.json` has v2 and the operator API, `/api/v1/openapi.json` the earlier surfaces.',
  summary: 'Read this description',
  also: [304],
  headers: ['ETag'],
  content: { type: 'application/json', schema: { type: 'object', additionalProperties: true } },
};

/** Serves OpenAPI 3.1: v2 with the operator API, and the earlier API separately (decisions §9). */
@Public()
@Controller('api')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Get('v2/openapi.json')
  @Answers(DESCRIBED)
  read(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.#send('current', request, response);
  }

  @Get('v1/openapi.json')
  @Answers(DESCRIBED)
  readEarlier(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.#send('earlier', request, response);
  }

  async #send(edition: Edition, request: Request, response: Response): Promise<void> {
    const { content, etag } = this.openApi.served(edition);
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'public, no-cache');
    // A 304 carries the Vary of its 200 (RFC 9110 §15.4.5).
    response.vary('Accept-Encoding');
    if (isKnown(request.headers['if-none-match'], etag)) response.status(304).end();
    else await content.send(request, response);
  }
}
