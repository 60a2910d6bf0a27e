import { spawnSync } from 'node:child_process';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type Campaign, NotPlayed } from '../../campaign.js';
import { recordHistory, type RegisterOperation } from './history.js';

export const linearizability: Campaign = {
  name: 'linearizability',
  about: 'a history of reads and writes under kills, held to Porcupine (needs go)',
  async play({ seed, seconds }) {
    if (!hasGo()) throw new NotPlayed('there is no go to run the checker with');
    const folder = await temporaryFolder();
    try {
      const options = { kills: Infinity, seconds: Math.max(seconds, 10), seed, answers: 400 };
      return checkHistory(await recordHistory({ ...options, folder: folder.path }));
    } finally {
      await folder.remove();
    }
  },
};

/** Whether there is a Go toolchain to run the checker with. */
function hasGo(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

/** Has Porcupine look for an order that explains a history. @returns its verdict @throws Error where there is none */
function checkHistory(history: readonly RegisterOperation[]): string {
  const input = history.map((operation) => `${JSON.stringify(operation)}\n`).join('');
  const run = spawnSync('go', ['run', '.'], { cwd: __dirname, input, encoding: 'utf8' });
  const verdict = `${run.stdout}${run.stderr}`.trim();
  if (run.status !== 0) throw new Error(verdict);
  return verdict;
}
