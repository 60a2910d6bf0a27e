import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request } from 'express';
import { type Encoding, encodingFor } from './pipeline/compress.js';
import type { HeaderValues } from './pipeline/answer.js';
import { Reply } from './reply.js';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** Shorter content is not compressed, because it fits into one packet. */
const LEAST_BYTES = 1_024;

/**
 * Content that is the same for everybody, such as a style sheet. Each compressed form is made once, at the first request
 * that accepts it.
 */
export class PublicContent {
  readonly #plain: Buffer;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly type: string,
    content: Buffer | string,
  ) {
    this.#plain = Buffer.from(content);
  }

  get text(): string {
    return this.#plain.toString();
  }

  /** SHA-256 of the content, in base64url. */
  get fingerprint(): string {
    return createHash('sha256').update(this.#plain).digest('base64url');
  }

  /** @param given more headers of the answer */
  async replyTo(request: Request, given: HeaderValues = {}): Promise<Reply<Buffer>> {
    const headers = { ...given, 'Content-Type': this.type, Vary: 'Accept-Encoding' };
    const encoding = this.#plain.length < LEAST_BYTES ? undefined : encodingFor(request);
    if (encoding === undefined) return new Reply(this.#plain, { headers });
    return new Reply(await this.#in(encoding), { headers: { ...headers, 'Content-Encoding': encoding } });
  }

  #in(encoding: Encoding): Promise<Buffer> {
    let made = this.#compressed.get(encoding);
    if (made === undefined) {
      made =
        encoding === 'br'
          ? promisify(brotliCompress)(this.#plain, BROTLI)
          : promisify(gzip)(this.#plain, { level: 9 });
      this.#compressed.set(encoding, made);
    }
    return made;
  }
}
