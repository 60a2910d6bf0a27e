import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../authentication.js';
import { Reply } from '../reply.js';
import { isKnown } from '../entity-tag.js';
import { Answers, type RouteDescription } from './answers.js';
import { type Edition } from './document.js';
import { OpenApi } from './openapi.js';

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
  read(@Req() request: Request): Promise<Reply> {
    return this.#read('current', request);
  }

  @Get('v1/openapi.json')
  @Answers(DESCRIBED)
  readEarlier(@Req() request: Request): Promise<Reply> {
    return this.#read('earlier', request);
  }

  async #read(edition: Edition, request: Request): Promise<Reply> {
    const { content, etag } = this.openApi.served(edition);
    const headers = { ETag: etag, 'Cache-Control': 'public, no-cache' };
    if (!isKnown(request.headers['if-none-match'], etag)) return content.replyTo(request, headers);
    // A 304 carries the Vary of its 200 (RFC 9110 §15.4.5).
    return new Reply(undefined, { status: 304, headers: { ...headers, Vary: 'Accept-Encoding' } });
  }
}
