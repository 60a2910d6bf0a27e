import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
/** Ends and freezes its server. */
const SUITE = join('test', 'documents', 'mongodb', 'mongodb-outage');
const LEFT_OUT = 'a MongoDB that goes away: not run, as ';

/** Runs the suite where no stand-in can be started. @returns its status and what it said */
async function run(environment: NodeJS.ProcessEnv): Promise<{ status: number | null; said: string }> {
  const child = spawn(process.execPath, [JEST, '--runInBand', SUITE], {
    cwd: ROOT,
    // Java is looked for by its name.
    env: { HOME: process.env['HOME'], REQUIRE_SERVERS: '1', ...environment, PATH: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, said };
}

it('a suite that ends its server leaves a named one alone, and says that it was not run', async () => {
  const { status, said } = await run({ TEST_MONGODB_URL: 'mongodb://127.0.0.1:1' });
  expect(said).toContain(LEFT_OUT);
  expect(status).toBe(0);
});

it('and is a failure where servers are demanded and none is named', async () => {
  const { status, said } = await run({});
  expect(said).toContain(LEFT_OUT);
  expect(status).toBe(1);
});
