// The monitor of a MongoClient waits for ever. It needs Node.js and the driver, and no MongoDB:
//   node mongodb-monitor-hangs.mjs             the driver's own settings: hangs
//   node mongodb-monitor-hangs.mjs 1000 1500   heartbeatFrequencyMS and minHeartbeatFrequencyMS: recovers
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { BSON, MongoClient } from 'mongodb';

const hello = { ok: 1, isWritablePrimary: true, helloOk: true, minWireVersion: 0, maxWireVersion: 21 };
const sizes = { maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000 };

// A server that answers everything but "find", and names no topologyVersion.
const sockets = new Set();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  let data = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    data = Buffer.concat([data, chunk]);
    while (data.length >= 4 && data.length >= data.readInt32LE(0)) {
      const message = data.subarray(0, data.readInt32LE(0));
      data = data.subarray(message.length);
      answer(socket, message);
    }
  });
});

function answer(socket, message) {
  const isQuery = message.readInt32LE(12) === 2004;
  const start = isQuery ? message.indexOf(0, 20) + 9 : 21;
  if (Object.keys(BSON.deserialize(message.subarray(start)))[0] === 'find') return;
  const body = BSON.serialize({ ...hello, ...sizes });
  const head = Buffer.alloc(isQuery ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(isQuery ? 1 : 2013, 12);
  if (isQuery) head.writeInt32LE(1, 32);
  socket.write(Buffer.concat([head, body]));
}

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const [heartbeatFrequencyMS, minHeartbeatFrequencyMS] = process.argv.slice(2).map(Number);
const client = new MongoClient(`mongodb://127.0.0.1:${server.address().port}`, {
  serverSelectionTimeoutMS: 2000,
  connectTimeoutMS: 1000,
  ...(heartbeatFrequencyMS ? { heartbeatFrequencyMS, minHeartbeatFrequencyMS } : {}),
});
await client.connect();
let began;
client.on('serverHeartbeatStarted', () => (began = Date.now()));
for (const end of ['Succeeded', 'Failed']) client.on(`serverHeartbeat${end}`, () => (began = undefined));

const find = (n) => client.db('a').collection('b').find({ n }).toArray();
for (let n = 0; n < 32; n += 1) find(n).catch(() => {});
await pause(800);
for (const socket of sockets) socket.destroy();

for (let second = 0; second < 20; second += 4) {
  await pause(4000);
  const ping = await client
    .db('a')
    .command({ ping: 1 })
    .then(
      () => 'alive',
      (error) => error.message,
    );
  console.log(ping, began ? `; a heartbeat began ${Date.now() - began} ms ago` : '');
}
process.exit();
