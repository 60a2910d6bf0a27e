import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from '../../config/logger.js';
import { LOGGER } from '../../config/injection-tokens.js';
import {
  REBUILD_REQUEST,
  type RebuildMessage,
  type RebuildRequest,
  socketAddress,
  type SocketAddress,
} from './rebuild-protocol.js';
import { ViewsRebuild } from './views-rebuild.js';

const OWNER_ONLY = 0o177;

/** Takes requests for a rebuild from commands on the same machine and data. */
@Injectable()
export class RebuildRequests implements OnModuleDestroy {
  #server: Server | undefined;
  #address: SocketAddress | undefined;
  readonly #open = new Set<Socket>();
  readonly #answering = new Set<Promise<void>>();

  constructor(
    private readonly rebuild: ViewsRebuild,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Listens in a folder that this process alone works on: a socket that is there was left by one that was killed. Where
   * it cannot, it says so, and the service does without.
   */
  async listen(folder: string): Promise<void> {
    try {
      this.#address = socketAddress(folder);
      rmSync(this.#address.path, { force: true });
      this.#server = createServer((socket) => this.#take(socket));
      await listenAsOwner(this.#server, this.#address.path);
      this.#server.on('error', (error) => this.#warn(error)).unref();
    } catch (error) {
      this.#warn(error);
    }
  }

  #warn(error: unknown): void {
    this.logger.warn({ error }, 'Commands cannot reach this process: `views rebuild` needs it stopped.');
  }

  /** Those who wait are answered: the rebuild ends as the service does. */
  async onModuleDestroy(): Promise<void> {
    this.#server?.close();
    await this.rebuild.stop();
    await Promise.all(this.#answering);
    for (const socket of this.#open) socket.destroy();
    this.#address?.release();
  }

  #take(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    const lines = createInterface({ input: socket });
    // Whoever asked may go away; the rebuild goes on. The interface tells of the socket's errors, too.
    socket.on('error', () => undefined);
    lines.on('error', () => undefined);
    lines.once('line', (line) => {
      const answering = this.#answer(line, socket);
      this.#answering.add(answering);
      void answering.finally(() => this.#answering.delete(answering));
    });
  }

  /** Never rejects. */
  async #answer(line: string, socket: Socket): Promise<void> {
    const send = (message: RebuildMessage) => {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    };
    try {
      demandRequest(line);
      send({ kind: 'accepted', joined: this.rebuild.isRunning });
      const events = await this.rebuild.run((applied, share) => {
        send({ kind: 'applied', events: applied, share });
      });
      send({ kind: 'done', events });
    } catch (error) {
      send({ kind: 'failed', message: (error as Error).message });
    }
    socket.end();
  }
}

function demandRequest(line: string): void {
  const { request } = JSON.parse(line) as Partial<RebuildRequest>;
  if (request !== REBUILD_REQUEST) throw new Error('This service does not know the request.');
}

/** Nobody else can connect, not even before the socket's mode could be changed: it is made within `listen`. */
async function listenAsOwner(server: Server, path: string): Promise<void> {
  const before = process.umask(OWNER_ONLY);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
}
