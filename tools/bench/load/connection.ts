import { connect, type Socket } from 'node:net';
import { answerAt } from './wire.js';

export interface AnswerListener {
  /** @param milliseconds since the request was sent @returns the next request, or undefined to end */
  answered(status: number, milliseconds: number, answer: () => string): string | undefined;
}

const NOTHING = Buffer.alloc(0);

/**
 * A connection that sends the next request when the last one is answered. It works on bytes, because an HTTP client would use
 * more processor time than the measured servers.
 */
export class Connection {
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  #bytes: Buffer = NOTHING;
  #sentAt = 0;

  constructor(
    port: number,
    first: string,
    private readonly listener: AnswerListener,
  ) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.ended = new Promise((resolve, reject) => {
      this.#socket.once('error', reject);
      this.#socket.once('close', () => resolve());
    });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.once('connect', () => this.#send(first));
  }

  #send(request: string): void {
    this.#sentAt = performance.now();
    this.#socket.write(request);
  }

  #read(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const answer = answerAt(this.#bytes);
    if (answer === undefined || this.#bytes.length < answer.length) return;
    const bytes = this.#bytes;
    this.#bytes = NOTHING;
    const next = this.listener.answered(answer.status, performance.now() - this.#sentAt, () =>
      bytes.toString('utf8'),
    );
    if (next === undefined) this.#socket.end();
    else this.#send(next);
  }
}
