import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';

const OP_MSG = 2_013;
const OP_QUERY = 2_004;
const HEADER = 16;

export interface RefusingMongo {
  readonly port: number;
  close(): Promise<void>;
}

/** As far as the wire goes, a MongoDB that knows nobody: every login fails, and who does not log in may ask nothing. */
export async function refusingMongo(): Promise<RefusingMongo> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= HEADER && received.length >= received.readInt32LE(0)) {
        const length = received.readInt32LE(0);
        socket.write(answerTo(received.subarray(0, length)));
        received = received.subarray(length);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerTo(request: Buffer): Buffer {
  const legacy = request.readInt32LE(12) === OP_QUERY;
  const begin = legacy ? request.indexOf(0, HEADER + 4) + 1 + 8 : HEADER + 5;
  const command = BSON.deserialize(request.subarray(begin, begin + request.readInt32LE(begin)));
  const body = Buffer.from(BSON.serialize(replyTo(Object.keys(command)[0]!)));
  const head = Buffer.alloc(HEADER + (legacy ? 20 : 5));
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.readInt32LE(4), 8);
  head.writeInt32LE(legacy ? 1 : OP_MSG, 12);
  if (legacy) head.writeInt32LE(1, HEADER + 16);
  return Buffer.concat([head, body]);
}

function replyTo(command: string): object {
  switch (command.toLowerCase()) {
    case 'hello':
    case 'ismaster':
      return { ismaster: true, maxWireVersion: 21, minWireVersion: 0, maxBsonObjectSize: 16_777_216, ok: 1 };
    case 'ping':
    case 'endsessions':
      return { ok: 1 };
    case 'saslstart':
      return { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };
    default:
      return {
        ok: 0,
        code: 13,
        codeName: 'Unauthorized',
        errmsg: `command ${command} requires authentication`,
      };
  }
}
