import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { watchHeartbeats } from '#stores/mongodb/heartbeat-watchdog.js';
import { MongoDbConnection } from '#stores/mongodb/mongodb-connection.js';
import { mongoHelloServer, type MongoHelloServer } from '../../support/mongo-hello-server.js';
import { waitUntil } from '../../support/wait-until.js';

/** All sockets of a busy client end in one turn of its loop, long enough after the last heartbeat. */
describe('a MongoDB server that is cut off with many calls under way', () => {
  let server: MongoHelloServer;

  beforeEach(async () => (server = await mongoHelloServer()));
  afterEach(() => server.close());

  async function cutOff(client: MongoClient): Promise<void> {
    const calls = Array.from({ length: 32 }, (_, n) => client.db('a').collection('b').find({ n }).toArray());
    const ends = Promise.allSettled(calls);
    await waitUntil(() => server.waiting === 32);
    // The driver's own minimum between two heartbeats is 500 ms.
    await pause(600);
    server.cutAll();
    // Retried reads wait for ever, too: only whether the server is found again counts.
    void ends;
  }

  function isFound(client: MongoClient): Promise<boolean> {
    return client
      .db('a')
      .command({ ping: 1 })
      .then(
        () => true,
        () => false,
      );
  }

  function plainClient(): MongoClient {
    return new MongoClient(server.url, { serverSelectionTimeoutMS: 500, connectTimeoutMS: 500 });
  }

  test('the driver with its own settings never finds it again', async () => {
    const client = plainClient();
    const heartbeats: string[] = [];
    try {
      await client.connect();
      client.on('serverHeartbeatStarted', () => heartbeats.push('started'));
      client.on('serverHeartbeatFailed', () => heartbeats.push('failed'));
      client.on('serverHeartbeatSucceeded', () => heartbeats.push('succeeded'));
      await cutOff(client);
      await waitUntil(() => heartbeats.length > 0);
      expect(await isFound(client)).toBe(false);
      // Once this fails, the driver was mended: the watchdog and the heartbeat settings may go.
      expect(heartbeats).toEqual(['started']);
    } finally {
      await client.close();
    }
  });

  test('a watched client reconnects 2 s after the time of a heartbeat is over', async () => {
    const client = plainClient();
    await client.connect();
    const stop = watchHeartbeats(client);
    try {
      await cutOff(client);
      expect(await isFound(client)).toBe(false);
      await waitUntil(() => isFound(client));
    } finally {
      stop();
      await client.close();
    }
  });

  test("the service's own settings keep the driver from hanging at all", async () => {
    const connection = await MongoDbConnection.open(server.url, { callTimeout: 2_000 });
    connection.retain();
    try {
      const opened = jest.fn();
      connection.client.on('topologyOpening', opened);
      await cutOff(connection.client);
      await waitUntil(() => isFound(connection.client));
      expect(opened).not.toHaveBeenCalled();
    } finally {
      await connection.release();
    }
  });
});
