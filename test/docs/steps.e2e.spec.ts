import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Service } from '../support/service.js';
import { fencedBlocks } from './walkthrough.js';

const ROOT = join(__dirname, '..', '..');
const PASSWORD = 'first-steps-of-our-own';
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

let service: Service;

beforeAll(async () => {
  service = await Service.start({
    environment: { OPERATOR_EMAIL: 'operator@localhost', OPERATOR_PASSWORD: PASSWORD },
  });
});
afterAll(() => service.close());

/** What a reader sees who pastes the lines into bash. */
async function typed(lines: string): Promise<{ readonly shown: string[]; readonly complaints: string }> {
  const env = { ...process.env, DATA_DIR: service.path };
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', lines], { cwd: ROOT, env });
  return { shown: stdout.trimEnd().split('\n'), complaints: stderr };
}

it('the README gets every value from the answers, and each answer has a line of its own', async () => {
  const blocks = fencedBlocks(README).filter(({ language }) => language === 'bash');
  const steps = blocks.map(({ text }) => text).join('\n');
  const here = steps
    .replace('http://localhost:3000', `http://127.0.0.1:${service.port}`)
    .replace('PASSWORD=…', `PASSWORD=${PASSWORD}`);
  const { shown, complaints } = await typed(`${here}\nprintf '%s\\n' "$TENANT"`);
  expect(complaints).toBe('');
  const token = shown.pop()!;
  const answers = shown.map((line) => JSON.parse(line) as { code?: string });
  expect(answers.filter(({ code }) => code !== undefined)).toEqual([]);
  expect((await service.call('get', '/api/v2/tenant/access', { token })).status).toBe(200);
});

it('an answer without the value says so, with its message', async () => {
  const url = `http://127.0.0.1:${service.port}/api/v2/company`;
  const { complaints } = await typed(`. scripts/steps.sh; curl -sS ${url}; answer data.token`);
  expect(complaints).toBe('The last answer has no data.token: Unauthorized.\n');
});
