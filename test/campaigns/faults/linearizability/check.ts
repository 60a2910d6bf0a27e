import { spawnSync } from 'node:child_process';
import type { RegisterOperation } from './history.js';

/** Whether there is a Go toolchain to run the checker with. */
export function hasGo(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

/** Has Porcupine look for an order that explains a history. @returns its verdict @throws Error where there is none */
export function checkHistory(history: readonly RegisterOperation[]): string {
  const input = history.map((operation) => `${JSON.stringify(operation)}\n`).join('');
  const run = spawnSync('go', ['run', '.'], { cwd: __dirname, input, encoding: 'utf8' });
  const verdict = `${run.stdout}${run.stderr}`.trim();
  if (run.status !== 0) throw new Error(verdict);
  return verdict;
}
