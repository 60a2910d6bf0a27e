import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { HUNG } from '../../support/wait-until.js';

/** An answer as its bytes say it. */
export interface RawAnswer {
  /** 0 where the connection ended without one. */
  readonly status: number;
  /** Names in lower case; values of repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly milliseconds: number;
}

const NO_ANSWER = { status: 0, headers: {}, body: '' };

/**
 * Sends bytes exactly as given on a connection that is kept while the server keeps it, because no HTTP client would
 * send what these tests send. One exchange at a time.
 */
export class RawClient {
  #socket: Socket | undefined;

  constructor(private readonly port: number) {}

  /**
   * @param bodiless the answer has no body whatever its headers say: to HEAD.
   * @throws Error where the server neither answers nor ends the connection within a minute.
   */
  async exchange(bytes: Buffer | string, { bodiless = false } = {}): Promise<RawAnswer> {
    const socket = this.#socket ?? (await opened(this.port));
    this.#socket = undefined;
    const began = performance.now();
    const { answer, reusable } = await new Promise<Exchange>((resolve, reject) => {
      let received = Buffer.alloc(0);
      const finish = (end: Exchange) => {
        clearTimeout(late);
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        resolve(end);
      };
      const late = setTimeout(() => {
        socket.destroy();
        reject(new Error(`No answer within ${HUNG} ms to ${bytes.toString('latin1', 0, 200)}`));
      }, HUNG);
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        const parsed = parseAnswer(received, bodiless);
        if (parsed !== undefined)
          finish({ answer: parsed, reusable: parsed.headers['connection'] !== 'close' });
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        finish({ answer: parseAnswer(received, true) ?? NO_ANSWER, reusable: false });
      });
      socket.write(bytes);
    });
    if (reusable) this.#socket = socket;
    else socket.destroy();
    return { ...answer, milliseconds: performance.now() - began };
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

type Parsed = Omit<RawAnswer, 'milliseconds'>;

interface Exchange {
  readonly answer: Parsed;
  readonly reusable: boolean;
}

/** A connection to this machine. Errors on it are the caller's: it may be cut at any time. */
export function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** The first final answer in some bytes; undefined while it is incomplete. */
export function parseAnswer(bytes: Buffer, bodiless: boolean): Parsed | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(first.slice(9, 12));
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parseAnswer(rest, bodiless);
  const headers = headersOf(lines);
  const hasNone = bodiless || status === 304;
  const body = hasNone ? Buffer.alloc(0) : bodyOf(rest, headers);
  return body && { status, headers, body: unpacked(body, headers).toString('utf8') };
}

/** Undefined while it is incomplete. Only what is compressed on its way has no length of its own. */
function bodyOf(rest: Buffer, headers: Readonly<Record<string, string>>): Buffer | undefined {
  if (headers['transfer-encoding'] === undefined) {
    const length = Number(headers['content-length'] ?? 0);
    return rest.length < length ? undefined : rest.subarray(0, length);
  }
  if (headers['content-encoding'] === undefined)
    throw new Error('An answer that is sent as it is has a length.');
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = rest.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = parseInt(rest.toString('latin1', at, line), 16);
    at = line + 2 + size + 2;
    if (rest.length < at) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(line + 2, line + 2 + size));
  }
}

function unpacked(body: Buffer, headers: Readonly<Record<string, string>>): Buffer {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || body.length === 0) return body;
  return encoding === 'br' ? brotliDecompressSync(body) : unzipSync(body);
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(name.length + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
