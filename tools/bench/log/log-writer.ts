import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Writer, WriterJob, WriterReport } from './writer-process.js';

/** Controls a process that appends to the log and reads it. It runs one job at a time. */
export class LogWriter {
  readonly #child;
  readonly #ended;
  #report: (report: WriterReport) => void = () => undefined;

  constructor(url: string, writer: Writer) {
    this.#child = fork(join(__dirname, 'writer-process.ts'), [url, writer]);
    this.#ended = once(this.#child, 'exit');
    this.#child.on('message', (report: WriterReport) => this.#report(report));
    void this.#ended.then(() => this.#report({ error: `The process of the ${writer} ended.` }));
  }

  /** @throws Error */
  async do(job: WriterJob): Promise<Exclude<WriterReport, { readonly error: string }>> {
    const reported = new Promise<WriterReport>((resolve) => (this.#report = resolve));
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
