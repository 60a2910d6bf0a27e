import { createServer } from 'node:net';

/** Below what systems give to whoever asks for any port (Linux from 32,768 on, others from 49,152 on). */
const FIRST = 20_000;
const COUNT = 12_000;

/** Processes that run side by side begin far from each other. */
let last = (process.pid * 7_919) % COUNT;

/**
 * A loopback port where nothing listens. The system gives it to nobody else before its use. This process uses it
 * once, because leftovers of a connection would reach the next server there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    last = (last + 1) % COUNT;
    const port = FIRST + last;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}
