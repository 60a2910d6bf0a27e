export interface WireRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
}

/** The text of an HTTP/1.1 request. */
export function toWire({ method, path, headers = {}, body }: WireRequest): string {
  let head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Status and length of the answer at the beginning of the bytes. Undefined while its head is incomplete. */
export function answerAt(bytes: Buffer): { readonly status: number; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const stated = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (stated === undefined && status !== 304 && status !== 204) {
    throw new Error(`An answer without a length cannot be measured: ${head.slice(0, 200)}`);
  }
  return { status, length: end + 4 + Number(status === 304 ? 0 : (stated ?? 0)) };
}
