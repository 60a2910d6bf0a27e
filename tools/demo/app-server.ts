import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const PAGE = join(ROOT, 'examples', 'tenant-app');
/** The service's address in the source of the page. */
const PLACEHOLDER = 'http://localhost:3000';
const FONT = '.woff2';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  [FONT]: 'font/woff2',
};

/** Serves the example app for tenants from its own origin. */
export class AppServer {
  readonly #files = new Map<string, string | Buffer>();

  private constructor(private readonly server: Server) {
    server.on('request', ({ url = '' }, response) => {
      const { pathname } = new URL(url, this.origin);
      const path = pathname === '/' ? '/index.html' : pathname;
      const file = this.#files.get(path);
      if (file === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' }).end(file);
    });
  }

  /** Listens on a free port. The service must get the `origin` at its start. */
  static async listen(): Promise<AppServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AppServer(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Serves the app with the modules of the client. @param service its address */
  async serve(service: string): Promise<void> {
    const modules = await mkdtemp(join(tmpdir(), 'storage-access-app-'));
    try {
      const script = join(ROOT, 'scripts', 'browser-client.mjs');
      await promisify(execFile)(process.execPath, [script, modules]);
      await this.#read(PAGE, '/', service);
      await this.#read(modules, '/client/', service);
    } finally {
      await rm(modules, { recursive: true });
    }
  }

  async #read(folder: string, under: string, service: string): Promise<void> {
    const names = await readdir(folder, { recursive: true });
    for (const name of names.filter((one) => extname(one) in TYPES)) {
      const bytes = await readFile(join(folder, name));
      const file = extname(name) === FONT ? bytes : bytes.toString().replaceAll(PLACEHOLDER, service);
      this.#files.set(`${under}${name}`, file);
    }
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
