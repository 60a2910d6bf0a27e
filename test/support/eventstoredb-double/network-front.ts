import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../free-port.js';

/**
 * A TCP port between the client and the double's server. It can be silent, cut off or closed, and opened again on the
 * same number.
 */
export class NetworkFront {
  private server: Server | undefined;
  private readonly pairs = new Set<{ near: Socket; far: Socket }>();
  private held: (() => void)[] = [];
  private frozen = false;
  /** How long each byte travels in either direction, in milliseconds. */
  delay = 0;
  /** Connections taken so far. */
  accepted = 0;
  /** Kept over closing and opening. */
  port = 0;

  constructor(private readonly target: number) {}

  async open(): Promise<void> {
    this.frozen = false;
    // The gRPC client keeps connections by their address, and would call a new double over what is left of one to another.
    if (this.port === 0) this.port = await freePort();
    const server = createServer((near) => this.accept(near));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.server = server;
  }

  /** Connections are reset and new ones refused. */
  async cut(): Promise<void> {
    this.reset();
    const { server } = this;
    this.server = undefined;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  /** Connections are reset; new ones are taken. */
  reset(): void {
    this.held = [];
    for (const { near, far } of this.pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    this.pairs.clear();
  }

  /** Connections stay, new ones are taken, and not a byte passes. */
  freeze(): void {
    this.frozen = true;
  }

  /** Everything held back passes now. */
  thaw(): void {
    this.frozen = false;
    const held = this.held;
    this.held = [];
    for (const pass of held) pass();
  }

  private accept(near: Socket): void {
    this.accepted += 1;
    const far = connect(this.target, '127.0.0.1');
    const pair = { near, far };
    this.pairs.add(pair);
    this.forward(near, far);
    this.forward(far, near);
    const drop = (): void => {
      near.destroy();
      far.destroy();
      this.pairs.delete(pair);
    };
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', drop);
      socket.on('close', drop);
    }
  }

  private forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      const pass = (): void => {
        if (!to.destroyed) to.write(bytes);
      };
      if (this.frozen) this.held.push(pass);
      // Timers of one length end in the order in which they began.
      else if (this.delay > 0) setTimeout(pass, this.delay);
      else pass();
    });
  }
}
