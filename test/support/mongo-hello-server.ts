import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';

const hello = {
  ok: 1,
  isWritablePrimary: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
};

const opReply = 1;
const opQuery = 2_004;
const opMessage = 2_013;

/** Speaks as much of MongoDB's wire protocol as a connection needs. It names no `topologyVersion`; a `find` waits for ever. */
export interface MongoHelloServer {
  readonly url: string;
  /** How many finds wait. */
  readonly waiting: number;
  /** Ends all connections at once, as a killed server or proxy does. It listens on. */
  cutAll(): void;
  close(): Promise<void>;
}

export async function mongoHelloServer(): Promise<MongoHelloServer> {
  const sockets = new Set<Socket>();
  let waiting = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let data = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      data = Buffer.concat([data, chunk]);
      while (data.length >= 4 && data.length >= data.readInt32LE(0)) {
        const message = data.subarray(0, data.readInt32LE(0));
        data = data.subarray(message.length);
        if (commandOf(message) === 'find') waiting += 1;
        else socket.write(answerTo(message));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = (): void => {
    waiting = 0;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get waiting() {
      return waiting;
    },
    cutAll,
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}

function isQuery(message: Buffer): boolean {
  return message.readInt32LE(12) === opQuery;
}

function commandOf(message: Buffer): string | undefined {
  const start = isQuery(message) ? message.indexOf(0, 20) + 9 : 21;
  return Object.keys(BSON.deserialize(message.subarray(start)))[0];
}

function answerTo(message: Buffer): Buffer {
  const body = BSON.serialize({ ...hello, cursor: { id: 0n, ns: 'a.b', firstBatch: [] } });
  const head = Buffer.alloc(isQuery(message) ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(isQuery(message) ? opReply : opMessage, 12);
  if (isQuery(message)) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}
