import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { errorOf } from '#kernel/errors/api-error.js';
import { Public } from '../authentication.js';
import { PublicContent } from '../public-content.js';
import type { Reply } from '../reply.js';
import { AnswersPages } from '../route-options.js';

/** Only content of this service. Swagger UI's icons are images in its style sheet. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Storage access API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <noscript>The description by itself: <a href="/api/v2/openapi.json">openapi.json</a></noscript>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/assets/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/api/v2/openapi.json', dom_id: '#api', deepLinking: true, docExpansion: 'none', validatorUrl: null });
`;

const SCRIPT = 'text/javascript; charset=utf-8';
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const packaged = (name: string, type: string) => () =>
  new PublicContent(type, readFileSync(join(SWAGGER_UI, name)));

const ASSETS: Readonly<Record<string, () => PublicContent>> = {
  'swagger-ui.css': packaged('swagger-ui.css', 'text/css; charset=utf-8'),
  'swagger-ui-bundle.js': packaged('swagger-ui-bundle.js', SCRIPT),
  'start.js': () => new PublicContent(SCRIPT, START),
};

/** Shows the API's description with Swagger UI (decisions §9). */
@Public()
@AnswersPages()
@Controller('docs')
export class DocsController {
  readonly #contents = new Map<string, PublicContent>();

  @Get()
  @Header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Referrer-Policy', 'same-origin')
  page(): string {
    return PAGE;
  }

  @Get('assets/:asset')
  @Header('Cache-Control', 'public, max-age=3600')
  asset(@Param('asset') name: string, @Req() request: Request): Promise<Reply> {
    const read = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (read === undefined) throw errorOf('not_found');
    let content = this.#contents.get(name);
    if (content === undefined) this.#contents.set(name, (content = read()));
    return content.replyTo(request);
  }
}
