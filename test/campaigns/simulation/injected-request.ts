import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as a client means it. */
export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer as it went out. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The function that hands a request to the service: Express itself. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A response without a connection: what would be sent is handed over. `end` is the object's own, because Express puts
 * another prototype under every response.
 */
function keptResponse(request: IncomingMessage, answered: (answer: Answer) => void): ServerResponse {
  const response = new ServerResponse(request);
  let ended = false;
  const end = (chunk?: unknown): ServerResponse => {
    if (ended) return response;
    ended = true;
    const text = typeof chunk === 'string' ? chunk : Buffer.isBuffer(chunk) ? chunk.toString('utf8') : '';
    const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
    answered({
      status: response.statusCode,
      headers: Object.fromEntries(headers) as Record<string, string>,
      text,
    });
    response.emit('finish');
    response.emit('close');
    return response;
  };
  return Object.defineProperties(response, {
    // What compresses answers puts itself before it.
    end: { value: end, writable: true },
    headersSent: { get: () => ended },
    writableEnded: { get: () => ended },
  });
}

/** Puts a request straight into the handler, past any socket, so that nothing depends on the time that IO takes. */
export function inject(handler: Handler, call: Call): Promise<Answer> {
  return new Promise((resolve) => {
    // As much of a connection as Express asks about.
    const socket = Object.assign(new EventEmitter(), {
      readable: true,
      writable: true,
      remoteAddress: '127.0.0.1',
      resume: () => undefined,
      pause: () => undefined,
      destroy: () => undefined,
    }) as unknown as Socket;
    const request = new IncomingMessage(socket);
    request.method = call.method;
    request.url = call.path;
    request.httpVersion = '1.1';
    const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body));
    request.headers = {
      host: 'localhost',
      ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(body.length) }),
      ...call.headers,
    };
    request.complete = true;
    if (body !== undefined) request.push(body);
    request.push(null);
    handler(request, keptResponse(request, resolve));
  });
}
