import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Parsed } from '../../../support/http-client.js';

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Parsed;
}

export type Reply = (response: ServerResponse) => void;

/** An integrator's system, on this machine. It answers as it is told to, and keeps what it got. */
export class Receiver {
  readonly received: ReceivedMessage[] = [];
  reply: Reply = answering(204);

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const { url: path = '', headers } = request;
        receiver.received.push({ path, headers, text, body: JSON.parse(text) });
        receiver.reply(response);
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  get types(): string[] {
    return this.received.map(({ body }) => body.type as string);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function answering(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}
