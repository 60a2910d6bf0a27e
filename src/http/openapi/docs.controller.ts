import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { notFound } from '../api-error.js';
import { Public } from '../authentication.js';
import { AnswersPages } from '../route-options.js';

/** Nothing but what this service serves itself; Swagger UI's icons are images within its style sheet. */
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
const packaged = (name: string) => () => readFileSync(join(SWAGGER_UI, name));

const ASSETS: Readonly<Record<string, { readonly type: string; readonly read: () => Buffer }>> = {
  'swagger-ui.css': { type: 'text/css; charset=utf-8', read: packaged('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: SCRIPT, read: packaged('swagger-ui-bundle.js') },
  'start.js': { type: SCRIPT, read: () => Buffer.from(START) },
};

/** Shows the description to people, by Swagger UI (decisions §9). */
@Public()
@AnswersPages()
@Controller('docs')
export class DocsController {
  readonly #contents = new Map<string, Buffer>();

  @Get()
  @Header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Referrer-Policy', 'same-origin')
  page(): string {
    return PAGE;
  }

  @Get('assets/:asset')
  @Header('Cache-Control', 'public, max-age=3600')
  asset(@Param('asset') name: string, @Res() response: Response): void {
    const known = Object.hasOwn(ASSETS, name) ? ASSETS[name]! : undefined;
    if (known === undefined) throw notFound();
    let content = this.#contents.get(name);
    if (content === undefined) this.#contents.set(name, (content = known.read()));
    response.type(known.type).send(content);
  }
}
