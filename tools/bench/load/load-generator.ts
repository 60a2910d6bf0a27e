import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadJob, LoadReport } from './load-process.js';
import type { LoadResult } from './run-load.js';

/** Controls the load process. It runs one measurement at a time. */
export class LoadGenerator {
  readonly #child = fork(join(__dirname, 'load-process.ts'), { serialization: 'advanced' });
  readonly #ended = once(this.#child, 'exit');
  #report: (report: LoadReport) => void = () => undefined;

  constructor() {
    this.#child.on('message', (report: LoadReport) => this.#report(report));
    void this.#ended.then(() => this.#report({ error: 'The load process ended.' }));
  }

  /** @throws Error if an answer is not as the scenario expects */
  async measure(job: LoadJob): Promise<LoadResult> {
    const reported = new Promise<LoadReport>((resolve) => (this.#report = resolve));
    this.#child.send(job);
    const report = await reported;
    if ('error' in report) throw new Error(`${job.scenario}: ${report.error}`);
    return report;
  }

  async stop(): Promise<void> {
    if (!this.#child.connected) return;
    this.#child.disconnect();
    await this.#ended;
  }
}
