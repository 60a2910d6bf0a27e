import { Agent, type Dispatcher, request } from 'undici';
import { endTransfer } from '#kernel/end-transfer.js';
import { underTimeLimit } from '#kernel/within.js';
import type { Clock } from '#kernel/clock.js';
import { AddressGuard, AddressRefusedError, isPublicAddress, type Resolve } from '#kernel/address-guard.js';
import { PullFault } from './pull-fault.js';
import type { PullAnswer, PullHttp, PullRequest } from './pull-http.js';

/** Milliseconds for one page, with redirects and body (decisions §8). */
export const PAGE_TIMEOUT_MS = 30_000;
/** Largest body of one page in bytes (decisions §8). */
export const LARGEST_PAGE_BYTES = 8 * 1024 * 1024;
const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface UndiciPullHttpOptions {
  readonly clock: Clock;
  /** True if an address may be connected to. Absent: public addresses only. */
  readonly isAllowed?: (address: string) => boolean;
  /** Absent: the system's resolver. */
  readonly resolve?: Resolve;
}

type Answer = Dispatcher.ResponseData;

/** Fetches pages over HTTP. Its own agent uses no proxy, and connects only to addresses that the guard allows. */
export class UndiciPullHttp implements PullHttp {
  readonly #clock: Clock;
  readonly #guard: AddressGuard;
  readonly #agent: Agent;

  constructor({ clock, isAllowed = isPublicAddress, resolve }: UndiciPullHttpOptions) {
    this.#clock = clock;
    this.#guard = new AddressGuard(isAllowed, resolve);
    this.#agent = new Agent({
      connect: { lookup: this.#guard.lookup, timeout: PAGE_TIMEOUT_MS },
      headersTimeout: PAGE_TIMEOUT_MS,
      bodyTimeout: PAGE_TIMEOUT_MS,
    });
  }

  async get(wanted: PullRequest): Promise<PullAnswer> {
    const { signal: ended, within: milliseconds = PAGE_TIMEOUT_MS } = wanted;
    return underTimeLimit(
      this.#clock,
      milliseconds,
      () => tooLate(milliseconds),
      async (late) => {
        const signal = ended === undefined ? late : AbortSignal.any([ended, late]);
        try {
          return await this.#follow(wanted, signal);
        } catch (error) {
          throw signal.aborted ? interruption(signal.reason) : faultOf(error);
        }
      },
    );
  }

  async refusalOf(url: string): Promise<PullFault | undefined> {
    const refusal = await this.#guard.findRefusal(new URL(url).hostname, this.#clock);
    return refusal && refusedAddress(refusal);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #follow(wanted: PullRequest, signal: AbortSignal): Promise<PullAnswer> {
    let url = new URL(wanted.url);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#send(url, wanted, signal);
      if (!REDIRECTS.has(answer.statusCode)) return this.#read(answer, url, wanted);
      endTransfer(answer.body);
      if (redirects === MOST_REDIRECTS)
        throw new PullFault('redirect_refused', 'The source redirects without end.');
      url = redirectOf(url, answer);
    }
  }

  #send(
    url: URL,
    { auth_header, credential_origin, etag }: PullRequest,
    signal: AbortSignal,
  ): Promise<Answer> {
    this.#guard.assertHost(url.hostname);
    const isTrusted = auth_header !== null && url.origin === credential_origin;
    return request(url, {
      dispatcher: this.#agent,
      signal,
      headers: {
        accept: 'application/json',
        // Compressed content could be a thousand times as large after decompression.
        'accept-encoding': 'identity',
        'user-agent': 'storage-access-service',
        ...(isTrusted ? { authorization: auth_header } : {}),
        ...(etag === null ? {} : { 'if-none-match': etag }),
      },
    });
  }

  async #read(answer: Answer, url: URL, { etag }: PullRequest): Promise<PullAnswer> {
    try {
      if (answer.statusCode === 304 && etag !== null) return { kind: 'not_modified' };
      if (answer.statusCode !== 200) throw this.#refusal(answer);
      assertReadable(answer);
      const body = await wholeBody(answer);
      return { kind: 'page', url: url.href, body, etag: headerOf(answer, 'etag') ?? null };
    } finally {
      endTransfer(answer.body);
    }
  }

  #refusal(answer: Answer): PullFault {
    const { statusCode: status } = answer;
    const after = readRetryAfter(headerOf(answer, 'retry-after'), this.#clock.now());
    if (status === 429) return new PullFault('rate_limited', 'The source answered 429.', { after });
    const message =
      status === 401 || status === 403
        ? `The source answered ${status}: it does not accept the credential.`
        : `The source answered ${status} instead of 200.`;
    const isTransient = status >= 500 || status === 408;
    return new PullFault('http_status', message, isTransient ? { after } : undefined);
  }
}

function redirectOf(from: URL, answer: Answer): URL {
  const location = headerOf(answer, 'location');
  if (location === undefined || !URL.canParse(location, from.href))
    throw new PullFault('redirect_refused', 'The source redirects to something that is not a URL.');
  const to = new URL(location, from.href);
  if (to.protocol !== 'https:' && to.protocol !== from.protocol)
    throw new PullFault(
      'redirect_refused',
      `The source redirects from ${from.protocol.slice(0, -1)} to something that is not https.`,
    );
  if (to.username !== '' || to.password !== '')
    throw new PullFault('redirect_refused', 'The source redirects to a URL with a user name or password.');
  return to;
}

function assertReadable(answer: Answer): void {
  const type = (headerOf(answer, 'content-type') ?? 'application/json').split(';')[0]!.trim().toLowerCase();
  // Many servers send JSON as text or without a type. Web pages always have the type html.
  if (type.includes('html'))
    throw new PullFault('not_json', 'The source answered with a web page instead of JSON.');
  const coding = headerOf(answer, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity')
    throw new PullFault('not_json', 'The source answered with a compressed body. Send it uncompressed.');
  if (Number(headerOf(answer, 'content-length') ?? 0) > LARGEST_PAGE_BYTES) throw tooLarge();
}

async function wholeBody({ body }: Answer): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_PAGE_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function refusedAddress({ message }: AddressRefusedError): PullFault {
  return new PullFault('address_refused', message);
}

function tooLarge(): PullFault {
  return new PullFault('too_large', 'The page is larger than 8 MB. Split it into pages with next.');
}

function tooLate(milliseconds: number): PullFault {
  const seconds = milliseconds / 1_000;
  return new PullFault('timeout', `The source did not send its whole answer within ${seconds} seconds.`, {});
}

function interruption(reason: unknown): PullFault {
  return reason instanceof PullFault ? reason : new PullFault('interrupted', 'The run was ended.');
}

function headerOf({ headers }: Answer, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Error codes of a connection that ended before the whole answer came. */
const CUT_OFF: ReadonlySet<unknown> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_ABORTED',
  'ECONNRESET',
  'EPIPE',
]);

function faultOf(error: unknown): PullFault {
  if (error instanceof PullFault) return error;
  const { code, cause, name } = error as { code?: unknown; cause?: unknown; name?: unknown };
  if (error instanceof AddressRefusedError) return refusedAddress(error);
  if (cause instanceof AddressRefusedError) return refusedAddress(cause);
  if (typeof code === 'string' && code.startsWith('UND_ERR') && code.endsWith('TIMEOUT'))
    return tooLate(PAGE_TIMEOUT_MS);
  if (CUT_OFF.has(code) || name === 'HTTPParserError')
    return new PullFault('cut_off', 'The source ended its answer early, or its Content-Length is wrong.', {});
  return new PullFault(
    'unreachable',
    'The source cannot be reached. Check its name, address and certificate.',
    {},
  );
}

/** The pause that a `Retry-After` header asks for, in milliseconds. Undefined if it cannot be read. */
function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const instant = Date.parse(header);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
