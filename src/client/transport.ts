import { pauseAfter, type RetryPolicy } from './core/backoff.js';
import { retryAfter } from './retry-after.js';
import { ServiceError } from './service.error.js';
import { reasonOf, type Surroundings } from './surroundings.js';
import type { WebRequest, WebResponse } from './web.js';

/** Answers after which the same request may be sent again: too many, or nobody there who could answer. */
const TOO_MANY = 429;
const AWAY = new Set([502, 503, 504]);

/** Answers without a body, which `Response` takes none for. */
const EMPTY = new Set([204, 205, 304]);

/** Sends requests, again where that is safe and may help. */
export class Transport {
  constructor(
    private readonly around: Surroundings,
    private readonly retries: RetryPolicy,
    /** How long one attempt may take, in milliseconds. */
    private readonly timeout: number,
  ) {}

  /**
   * @param repeatable whether sending it twice does no more than sending it once: where it is not, only what was surely not done is
   *   sent again
   * @throws ServiceError `no_answer`, and the signal's reason where the caller has given up
   */
  async send(request: WebRequest, repeatable: boolean): Promise<WebResponse> {
    for (let failed = 1; ; failed++) {
      const outcome = await this.#attempt(request);
      const mayRepeat = outcome instanceof ServiceError ? repeatable : isToRepeat(outcome.status, repeatable);
      const pause = mayRepeat ? this.#pauseAfter(failed, outcome) : undefined;
      if (pause !== undefined) await this.around.sleep(pause, request.signal);
      else if (outcome instanceof ServiceError) throw outcome;
      else return outcome;
    }
  }

  #pauseAfter(failed: number, outcome: Response | ServiceError): number | undefined {
    const header = outcome instanceof Response ? outcome.headers.get('retry-after') : null;
    const asked = retryAfter(header, this.around.now());
    return pauseAfter(failed, asked, this.retries, this.around.random());
  }

  /** One request with the whole of its answer: a body that breaks off is an answer that did not come. */
  async #attempt(request: Request): Promise<Response | ServiceError> {
    const signal = AbortSignal.any([request.signal, this.around.timeout(this.timeout)]);
    try {
      // The service redirects nobody: to follow would hand the body, tenants' details in it, to wherever the answer names.
      const response = await this.around.fetch(request.clone(), { signal, redirect: 'manual' });
      const body = EMPTY.has(response.status) ? null : await response.arrayBuffer();
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      if (request.signal.aborted) throw reasonOf(request.signal);
      return noAnswer(error);
    }
  }
}

function isToRepeat(status: number, repeatable: boolean): boolean {
  return status === TOO_MANY || (repeatable && AWAY.has(status));
}

/** Tells the system's code of what happened and no more: what else the error holds may be the request itself. */
function noAnswer(error: unknown): ServiceError {
  const { cause, name } = error as { readonly cause?: { readonly code?: unknown }; readonly name?: unknown };
  const code = name === 'TimeoutError' ? 'timeout' : cause?.code;
  const known = typeof code === 'string' && /^\w{1,40}$/.test(code) ? ` (${code})` : '';
  return new ServiceError({
    status: null,
    code: 'no_answer',
    message: `The service did not answer${known}.`,
  });
}
