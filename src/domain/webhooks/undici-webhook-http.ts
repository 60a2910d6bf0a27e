import { Agent, type Dispatcher, request } from 'undici';
import { AddressGuard, AddressRefusedError, isPublicAddress, type Resolve } from '#kernel/address-guard.js';
import type { Clock } from '#kernel/clock.js';
import { endTransfer } from '#kernel/end-transfer.js';
import { underTimeLimit } from '#kernel/within.js';
import type { Attempt } from './core/delivery.js';
import type { WebhookHttp, WebhookRequest } from './webhook-http.js';

/** Milliseconds for one try, answer included (decisions §11). */
export const TRY_TIMEOUT_MS = 15_000;
/** Bytes of an answer that are read and kept. */
export const KEPT_ANSWER_BYTES = 1_024;
const LARGEST_HEADERS_BYTES = 16_384;

export interface UndiciWebhookHttpOptions {
  readonly clock: Clock;
  /** True if an address may be connected to. Absent: public addresses only. */
  readonly isAllowed?: (address: string) => boolean;
  /** Absent: the system's resolver. */
  readonly resolve?: Resolve;
}

type Outcome = Omit<Attempt, 'at'>;

/** Sends messages over HTTP. Its own agent uses no proxy, follows no redirect, and connects only to allowed addresses. */
export class UndiciWebhookHttp implements WebhookHttp {
  readonly #clock: Clock;
  readonly #guard: AddressGuard;
  readonly #agent: Agent;

  constructor({ clock, isAllowed = isPublicAddress, resolve }: UndiciWebhookHttpOptions) {
    this.#clock = clock;
    this.#guard = new AddressGuard(isAllowed, resolve);
    this.#agent = new Agent({
      connect: { lookup: this.#guard.lookup, timeout: TRY_TIMEOUT_MS },
      headersTimeout: TRY_TIMEOUT_MS,
      bodyTimeout: TRY_TIMEOUT_MS,
      maxHeaderSize: LARGEST_HEADERS_BYTES,
    });
  }

  sendMessage(message: WebhookRequest): Promise<Outcome> {
    return underTimeLimit(
      this.#clock,
      TRY_TIMEOUT_MS,
      () => new TryTimeoutError(),
      async (late) => {
        const signal = AbortSignal.any([message.signal, late]);
        try {
          return await this.#send(message, signal);
        } catch (error) {
          return { status: null, answer: explainFailure(signal.aborted ? signal.reason : error) };
        }
      },
    );
  }

  async isRefused(url: string): Promise<boolean> {
    return (await this.#guard.findRefusal(new URL(url).hostname, this.#clock)) !== undefined;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #send({ url, headers, body }: WebhookRequest, signal: AbortSignal): Promise<Outcome> {
    this.#guard.assertHost(new URL(url).hostname);
    const answer = await request(url, {
      method: 'POST',
      dispatcher: this.#agent,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        // Compressed content could be a thousand times as large after decompression.
        'accept-encoding': 'identity',
        'user-agent': 'storage-access-service',
      },
      body,
    });
    return { status: answer.statusCode, answer: await readBeginning(answer) };
  }
}

/** The status decides. An answer that is cut off is kept as far as it came. */
async function readBeginning({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= KEPT_ANSWER_BYTES) break;
    }
  } catch {
    // What came before the fault is the answer.
  } finally {
    endTransfer(body);
  }
  return toPlainText(Buffer.concat(chunks).subarray(0, KEPT_ANSWER_BYTES));
}

/** A receiver chooses these bytes. Stores and pages need text without control characters. */
function toPlainText(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim();
}

class TryTimeoutError extends Error {}

/** Never contains the URL, because it may hold a credential. */
function explainFailure(error: unknown): string {
  if (error instanceof TryTimeoutError) return 'There was no answer within 15 seconds.';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (error instanceof AddressRefusedError || cause instanceof AddressRefusedError)
    return 'The host leads to a loopback, private or reserved address.';
  if (typeof code === 'string' && code.startsWith('UND_ERR') && code.endsWith('TIMEOUT'))
    return 'There was no answer within 15 seconds.';
  return 'The receiver cannot be reached. Check its name, address and certificate.';
}
