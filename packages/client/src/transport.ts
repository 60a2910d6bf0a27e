import { pauseAfter, type RetryPolicy } from './core/backoff.js';
import { retryAfter } from './retry-after.js';
import { ServiceError } from './service.error.js';
import { abortReason, type ClientEnvironment } from './client-environment.js';
import type { WebRequest, WebResponse } from './web.js';

/** After these answers, the same request may be sent again. */
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = new Set([502, 503, 504]);

/** Statuses for which `Response` accepts no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Sends requests, and repeats them if that is safe and may help. */
export class Transport {
  constructor(
    private readonly environment: ClientEnvironment,
    private readonly retries: RetryPolicy,
    /** Timeout of one attempt, in milliseconds. */
    private readonly timeout: number,
  ) {}

  /**
   * @param repeatable false: repeats only after 429, because then the service has certainly done nothing
   * @throws ServiceError `no_answer`, or the signal's reason after an abort
   */
  async send(request: WebRequest, repeatable: boolean): Promise<WebResponse> {
    for (let failed = 1; ; failed++) {
      const outcome = await this.#attempt(request);
      const mayRepeat =
        outcome instanceof ServiceError ? repeatable : mayRepeatAfter(outcome.status, repeatable);
      const pause = mayRepeat ? this.#pauseAfter(failed, outcome) : undefined;
      if (pause !== undefined) await this.environment.sleep(pause, request.signal);
      else if (outcome instanceof ServiceError) throw outcome;
      else return outcome;
    }
  }

  #pauseAfter(failed: number, outcome: Response | ServiceError): number | undefined {
    const header = outcome instanceof Response ? outcome.headers.get('retry-after') : null;
    const asked = retryAfter(header, this.environment.now());
    return pauseAfter(failed, asked, this.retries, this.environment.random());
  }

  /** Sends one request and reads the whole answer. An incomplete body counts as no answer. */
  async #attempt(request: Request): Promise<Response | ServiceError> {
    const signal = AbortSignal.any([request.signal, this.environment.timeout(this.timeout)]);
    try {
      // The service never redirects. Following a redirect could send personal data to another server.
      const response = await this.environment.fetch(request.clone(), { signal, redirect: 'manual' });
      const body = WITHOUT_BODY.has(response.status) ? null : await response.arrayBuffer();
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      if (request.signal.aborted) throw abortReason(request.signal);
      return noAnswer(error);
    }
  }
}

function mayRepeatAfter(status: number, repeatable: boolean): boolean {
  return status === TOO_MANY_REQUESTS || (repeatable && UNAVAILABLE.has(status));
}

/** Contains only the system's error code, because the error may contain the request. */
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
