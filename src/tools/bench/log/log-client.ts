import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ClientJob, ClientReport } from './client-process.js';

/** The log's own client in a process of its own, which appends what the service has appended. One job at a time. */
export class LogClient {
  readonly #child;
  readonly #ended;
  #report: (report: ClientReport) => void = () => undefined;

  constructor(url: string) {
    this.#child = fork(join(__dirname, 'client-process.js'), [url]);
    this.#ended = once(this.#child, 'exit');
    this.#child.on('message', (report: ClientReport) => this.#report(report));
    void this.#ended.then(() => this.#report({ error: "The client's process ended." }));
  }

  /** @throws Error */
  async do(job: ClientJob): Promise<Exclude<ClientReport, { readonly error: string }>> {
    const reported = new Promise<ClientReport>((resolve) => (this.#report = resolve));
    this.#child.send(job);
    const report = await reported;
    if ('error' in report) throw new Error(report.error);
    return report;
  }

  async stop(): Promise<void> {
    if (!this.#child.connected) return;
    this.#child.disconnect();
    await this.#ended;
  }
}
