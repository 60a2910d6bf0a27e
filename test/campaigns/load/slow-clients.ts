import type { Socket } from 'node:net';
import type { Target } from '../../../tools/bench/scenarios.js';
import { opened } from '../../system/hostile/raw-client.js';

export interface SlowClients {
  /** How many connections the service has cut by now. Each is replaced. */
  readonly cut: () => number;
  close(): void;
}

const HALF_HEADERS = 'GET /api/v2/units HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const MORE = 500;

/**
 * Clients that never finish: requests that stop within their headers or their body, headers that come a byte at a
 * time, and answers that nobody reads.
 */
export async function openSlowClients({ port, api_token }: Target, each: number): Promise<SlowClients> {
  const authorized = `Host: localhost\r\nAuthorization: Bearer ${api_token}\r\n`;
  const halfBody = `PATCH /api/v2/units HTTP/1.1\r\n${authorized}Content-Type: application/json\r\nContent-Length: 999\r\n\r\n{"un`;
  const unread = `GET /api/v2/units?limit=500 HTTP/1.1\r\n${authorized}\r\n`.repeat(20);
  const sockets = new Set<Socket>();
  let cut = 0;
  let closed = false;

  const keep = async (bytes: string, reads: boolean): Promise<void> => {
    const socket = await opened(port);
    if (closed) return void socket.destroy();
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (closed) return;
      cut++;
      // Refused once the service drains: then there is nothing left to disturb.
      keep(bytes, reads).catch(() => undefined);
    });
    if (reads) socket.resume();
    else socket.pause();
    socket.write(bytes);
  };
  for (let count = 0; count < each; count++) {
    await keep(HALF_HEADERS, true);
    await keep(halfBody, true);
    // Fewer of these: until the buffers between are full, each keeps the service as busy as a greedy client.
    if (count % 8 === 0) await keep(unread, false);
  }
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.bytesWritten < 500) socket.write('x');
  }, MORE);
  return {
    cut: () => cut,
    close() {
      closed = true;
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}
