import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { Agent, type Dispatcher, request } from 'undici';
import { AddressGuard, isNotLinkLocal } from '#kernel/address-guard.js';
import type { Clock } from '#kernel/clock.js';
import { endTransfer } from '#kernel/end-transfer.js';
import { underTimeLimit } from '#kernel/within.js';

/** Milliseconds for one answer, body included. Three of them are less than a request's deadline. */
export const ANSWER_TIMEOUT_MS = 3_000;
/** Bytes of the largest answer that is read. */
export const LARGEST_ANSWER_BYTES = 512 * 1024;
/** Statuses of answers that have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

export class AnswerTooLargeError extends Error {}
export class AnswerTooLateError extends Error {}

/**
 * Calls the identity provider. Its own agent uses no proxy and follows no redirect. The installation names the provider, so
 * private addresses are allowed; those of one link and of cloud metadata are not.
 */
export class ProviderHttp {
  readonly #guard = new AddressGuard(isNotLinkLocal);
  readonly #agent = new Agent({
    connect: { lookup: this.#guard.lookup, timeout: ANSWER_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });

  constructor(private readonly clock: Clock) {}

  /** @throws AnswerTooLateError, AnswerTooLargeError, AddressRefusedError, or the connection's error */
  readonly fetch: CustomFetch = (url, { method, headers, body, signal }) =>
    underTimeLimit(
      this.clock,
      ANSWER_TIMEOUT_MS,
      () => new AnswerTooLateError(),
      async (late) => {
        this.#guard.assertHost(new URL(url).hostname);
        const answer = await request(url, {
          dispatcher: this.#agent,
          method,
          // Compressed content could be a thousand times as large after decompression.
          headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'storage-access-service' },
          body: textOf(body),
          signal: signal === undefined ? late : AbortSignal.any([signal, late]),
        });
        return responseOf(answer, await wholeBody(answer));
      },
    );

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** The library sends forms alone. */
function textOf(body: CustomFetchOptions['body']): string | null {
  if (body instanceof URLSearchParams) return body.toString();
  return typeof body === 'string' ? body : null;
}

function responseOf(
  { statusCode: status, headers }: Dispatcher.ResponseData,
  body: Buffer<ArrayBuffer>,
): Response {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: pairs });
}

async function wholeBody({ body }: Dispatcher.ResponseData): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_ANSWER_BYTES) throw new AnswerTooLargeError();
      chunks.push(chunk);
    }
  } finally {
    endTransfer(body);
  }
  return Buffer.concat(chunks, size);
}
