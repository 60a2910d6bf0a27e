import { spawnSync } from 'node:child_process';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { whyNoStandIn } from '../../../support/mongo-server.js';
import { type Campaign, NotPlayed } from '../../campaign.js';
import { playFleet } from './fleet-on-servers.js';
import { recordHistory } from './history.js';
import type { RegisterOperation } from './register-clients.js';

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

export const linearizabilityOnServers: Campaign = {
  name: 'linearizability-on-servers',
  about: 'the same with three processes on a cluster whose leaders die (needs go and the stand-in)',
  onlyByName: true,
  async play({ seed, seconds, say }) {
    const reason = hasGo() ? whyNoStandIn() : 'there is no go to run the checker with';
    if (reason !== undefined) throw new NotPlayed(reason);
    const folder = await temporaryFolder();
    try {
      const played = await playFleet({ seed, seconds: Math.max(seconds, 20), folder: folder.path, say });
      return `${checkHistory(played.history)}; ${played.figures}`;
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
