import { Readable } from 'node:stream';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Request } from 'express';
import { render } from 'preact-render-to-string';
import { mergeMap, type Observable } from 'rxjs';
import { contextOf, type OpenRequestContext } from '#web/request-context.js';
import { Reply } from '#web/reply.js';
import { HTML_HEADERS } from './html-headers.js';
import { DONE, type Done, Fragment, Page, type Refused, SeeOther, StreamedDownload } from '../page/page.js';
import { keptIn } from '../parts/kept-form.js';
import { renderDocument } from './document.js';
import { KeptForms } from './kept-forms.js';
import { Viewers } from './viewers.js';

/** Other pages have a `q` of their own. */
const FIND = '/dashboard/find';

/** Renders the answers of the dashboard's handlers. */
@Injectable()
export class PageRendering implements NestInterceptor {
  constructor(
    private readonly viewers: Viewers,
    private readonly keptForms: KeptForms,
  ) {}

  intercept(execution: ExecutionContext, handler: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<Request>();
    return handler.handle().pipe(mergeMap((answer: unknown) => this.#render(answer, request)));
  }

  async #render(answer: unknown, request: Request): Promise<Reply | StreamableFile> {
    if (answer instanceof StreamedDownload) return streamed(answer, contextOf(request));
    if (answer instanceof SeeOther) return seeOther(answer.location);
    if (answer instanceof Fragment) return new Reply(render(answer.content), { headers: HTML_HEADERS });
    if (!(answer instanceof Page)) throw new Error('A page of the dashboard answers with a page.');
    const { path, query } = request;
    const sought = path === FIND && typeof query['q'] === 'string' ? query['q'] : undefined;
    const viewer = await this.viewers.findViewer(request, answer.about.company_id);
    const { kept, said } = this.#comeBack(answer, request);
    const html = renderDocument(answer, { viewer, said: said ?? saidTo(request), sought, path, kept });
    const headers = { ...HTML_HEADERS, ...answer.about.headers };
    return new Reply(html, { status: answer.status, headers });
  }

  /** A form that was sent after the session had ended comes back once, on the first page that has it. */
  #comeBack(page: Page, request: Request): { readonly kept?: Refused; readonly said?: Done } {
    if (request.method !== 'GET' || page.status !== 200) return {};
    const form = this.keptForms.find(request);
    const kept = form && keptIn(page, form);
    if (kept === undefined && (form === undefined || form.page !== request.originalUrl)) return {};
    this.keptForms.drop(request);
    return kept === undefined ? { said: 'form_gone' } : { kept };
  }
}

function saidTo({ query }: Request): Done | undefined {
  const { done } = query;
  return typeof done === 'string' && Object.hasOwn(DONE, done) ? (done as Done) : undefined;
}

function seeOther(location: string): Reply<string> {
  return new Reply('', { status: 303, headers: { ...HTML_HEADERS, Location: location } });
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
    await context?.assertRights?.();
    yield chunk;
  }
}
