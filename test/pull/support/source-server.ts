import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** A PMS of the test's own, on this machine: it answers as it is told to, and keeps what it was asked. */
export class SourceServer {
  readonly asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
  #replies: Reply[] = [];
  #always: Reply | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SourceServer> {
    const server = createServer((request, response) => {
      source.asked.push({ path: request.url ?? '', headers: request.headers });
      const reply = source.#replies.shift() ?? source.#always ?? status(404);
      reply(response, request);
    });
    const source = new SourceServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return source;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/units.json'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** The answers to the next requests, one each. */
  next(...replies: readonly Reply[]): this {
    this.#replies = [...replies];
    this.asked.length = 0;
    return this;
  }

  /** The answer to every other request. */
  always(reply: Reply): this {
    this.#always = reply;
    return this.next();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A JSON document. */
export function json(document: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(document));
  };
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Reply {
  return (response) => {
    response.writeHead(code, headers);
    response.end(body);
  };
}

/** An entry of an occupied unit. */
export function occupied(crm_unit_id: string, fields: object = {}): object {
  return {
    crm_unit_id,
    occupied: true,
    pms_tenant_id: `t-${crm_unit_id}`,
    move_in_date: '2025-12-01',
    ...fields,
  };
}
