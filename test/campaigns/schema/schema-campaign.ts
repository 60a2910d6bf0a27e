import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceProcess } from '../../support/service-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { Campaign, Round } from '../campaign.js';
import { configuration } from './configuration.js';
import { schemathesis } from './schemathesis.js';
import { type Credentials, type Seeded, seedService } from './seeded-service.js';

/** Operations that end the caller's own session. */
const ENDING = '/(operator/sessions|logout)$';
/** Test cases of each operation in a short round, and for each minute of a longer one. */
const EXAMPLES = { least: 5, aMinute: 5 };

export const schema: Campaign = {
  name: 'schema',
  about: 'requests by schemathesis, which knows the OpenAPI document alone (Python 3, a package registry)',
  onlyByName: true,
  async play(round) {
    const program = await schemathesis(round.say);
    const folder = await temporaryFolder();
    const service = await ServiceProcess.start(join(folder.path, 'data'), {
      environment: { PULL_ALLOW_PRIVATE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' },
    });
    try {
      const seeded = await seedService(service, join(folder.path, 'data'));
      const exercise = async (credentials: Credentials, operations: 'include' | 'exclude') => {
        const file = join(folder.path, 'schemathesis.toml');
        await writeFile(file, configuration(seeded, credentials));
        const chosen = [`--${operations}-path-regex`, ENDING];
        const told = await report(program, folder.path, [
          '--config-file',
          file,
          ...target(service, round),
          ...chosen,
        ]);
        service.demandAlive();
        return told;
      };
      const told = await exercise(seeded.credentials, 'exclude');
      await demandCredentials(service, seeded);
      await exercise(seeded.ending, 'include');
      return summary(told);
    } catch (error) {
      for (const complaint of service.complaints) round.say(complaint);
      throw error;
    } finally {
      await service.kill();
      await folder.remove();
    }
  },
};

function target({ port }: ServiceProcess, { seed, seconds }: Round): string[] {
  const examples = EXAMPLES.least + Math.floor((seconds / 60) * EXAMPLES.aMinute);
  const document = `http://127.0.0.1:${port}/api/v2/openapi.json`;
  return ['run', document, '--seed', String(seed), '--max-examples', String(examples), '--no-color'];
}

/** @returns what the program says. @throws Error with it where anything is otherwise than documented */
async function report(program: string, folder: string, parameters: readonly string[]): Promise<string> {
  const child = spawn(program, parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)));
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(output);
  return output;
}

function summary(output: string): string {
  const number = (pattern: RegExp): string => pattern.exec(output)?.[1] ?? 'an unknown number of';
  return `${number(/Tested: (\d+)/)} operations, ${number(/(\d+) generated/)} requests`;
}

/** @throws Error where the requests took the callers' own rights away, and so were refused for that from then on */
async function demandCredentials({ client }: ServiceProcess, { credentials }: Seeded): Promise<void> {
  const reads = {
    api_token: '/api/v2/company',
    tenant: '/api/v2/tenant/access',
    operator: '/api/operator/companies',
  } as const;
  for (const [scheme, path] of Object.entries(reads)) {
    const { status } = await client.call('get', path, { token: credentials[scheme as keyof typeof reads] });
    if (status !== 200) throw new Error(`The credential ${scheme} does not hold any more: ${status}.`);
  }
}
