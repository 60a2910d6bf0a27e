import { Readable } from 'node:stream';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { render } from 'preact-render-to-string';
import { mergeMap, type Observable } from 'rxjs';
import { contextOf, type OpenRequestContext } from '../../http/request-context.js';
import { HTML_HEADERS, setHtmlHeaders } from './html-headers.js';
import { DONE, type Done, Fragment, Page, SeeOther, StreamedDownload } from './page.js';
import { renderDocument } from './document.js';
import { errorDocument } from './page-errors.js';
import { Viewers } from './viewers.js';

/** Other pages have a `q` of their own. */
const FIND = '/dashboard/find';

/** Renders the answers of the dashboard's handlers. */
@Injectable()
export class PageRendering implements NestInterceptor {
  constructor(private readonly viewers: Viewers) {}

  intercept(execution: ExecutionContext, handler: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const deadline = contextOf(request)?.deadline;
    if (deadline !== undefined) {
      deadline.late = (error) => ({
        headers: HTML_HEADERS,
        body: errorDocument(error, this.viewers.ofFailed(request), request),
      });
    }
    return handler.handle().pipe(mergeMap((answer: unknown) => this.#answer(answer, request, response)));
  }

  async #answer(answer: unknown, request: Request, response: Response): Promise<unknown> {
    if (answer instanceof StreamedDownload) return streamed(answer, contextOf(request));
    setHtmlHeaders(response);
    if (answer instanceof SeeOther) return seeOther(answer, response);
    if (answer instanceof Fragment) return render(answer.content);
    if (!(answer instanceof Page)) throw new Error('A page of the dashboard answers with a page.');
    response.status(answer.status).set(answer.about.headers ?? {});
    const { path, query } = request;
    const sought = path === FIND && typeof query['q'] === 'string' ? query['q'] : undefined;
    const viewer = await this.viewers.of(request);
    return renderDocument(answer, { viewer, said: saidTo(request), sought, path });
  }
}

function saidTo({ query }: Request): Done | undefined {
  const { done } = query;
  return typeof done === 'string' && Object.hasOwn(DONE, done) ? (done as Done) : undefined;
}

function seeOther({ location }: SeeOther, response: Response): string {
  response.status(303).setHeader('Location', location);
  return '';
}

function streamed({ name, type, chunks }: StreamedDownload, context?: OpenRequestContext): StreamableFile {
  const disposition = `attachment; filename="${name}"`;
  const file = new StreamableFile(Readable.from(whileAdmitted(chunks, context), { objectMode: false }), {
    type,
    disposition,
  });
  // A file that was cut off must not look whole.
  return file.setErrorHandler((_, response) => response.destroy?.());
}

/** A reader may take hours, so the rights are checked before each chunk. */
async function* whileAdmitted(
  chunks: AsyncIterable<string>,
  context?: OpenRequestContext,
): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    await context?.demandRights?.();
    yield chunk;
  }
}
