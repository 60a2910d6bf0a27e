import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { waitUntil } from '../../support/wait-until.js';

const FOUR_MEBIBYTES = 4_194_304;

let server: Http2Server;
let store: EventStoreDbEventStore;
let session: ServerHttp2Session | undefined;

beforeEach(async () => {
  server = createServer();
  server.on('session', (opened) => (session = opened));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  store = new EventStoreDbEventStore({ url: `esdb://127.0.0.1:${port}?tls=false` });
});
afterEach(async () => {
  session?.destroy();
  await store.close();
  server.close();
});

/** Answers and the events of the subscription share the connection: with 64 KiB, each 64 KiB cost a round trip. */
it('the server may send four mebibytes ahead, on each call and on the connection', async () => {
  const asked = store.ping().catch(() => undefined);
  await waitUntil(() => session?.state.remoteWindowSize === FOUR_MEBIBYTES);
  expect(session!.remoteSettings.initialWindowSize).toBe(FOUR_MEBIBYTES);
  session!.destroy();
  await asked;
});
