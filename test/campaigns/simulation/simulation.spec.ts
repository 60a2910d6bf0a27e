import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutate, MUTANTS } from './mutants/mutants.js';

const ROOT = join(__dirname, '..', '..', '..');
/** Milliseconds, on a machine that does much else. */
const ENOUGH = 400_000;

/** Plays seeds in a process of their own, without jest's share of the work, and answers what was printed. */
function simulate(
  ...options: readonly string[]
): Promise<{ readonly status: number | null; readonly text: string }> {
  const script = ['-r', './test/support/swc-register.cjs', 'test/campaigns/simulation/main.ts'];
  const child = spawn(process.execPath, [...script, ...options], { cwd: ROOT });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stderr.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, text: Buffer.concat(parts).toString('utf8') }));
  });
}

describe('simulation', () => {
  it(
    'plays a seed the same way every time',
    async () => {
      const options = ['--seed', '3', '--seeds', '3', '--steps', '150'];
      const [one, other] = await Promise.all([simulate(...options), simulate(...options)]);
      const traces = /trace [0-9a-f]+/g;
      expect(one.text.match(traces)).toHaveLength(3);
      expect(other.text.match(traces)).toEqual(one.text.match(traces));
      expect(new Set(one.text.match(traces)).size).toBe(3);
    },
    ENOUGH,
  );

  it(
    'holds the service to the model over 20,000 steps of many seeds',
    async () => {
      const runs = [1, 1001].map((seed) =>
        simulate('--seed', String(seed), '--seeds', '21', '--steps', '480'),
      );
      const ended = await Promise.all(runs);
      const totals = ended.map(({ text }) => /\d+ seeds, (\d+) steps.*/.exec(text));
      expect(ended.map(({ status, text }) => (status === 0 ? 'holds' : text))).toEqual(['holds', 'holds']);
      expect(totals.reduce((sum, total) => sum + Number(total?.[1]), 0)).toBeGreaterThanOrEqual(20_000);
      process.stdout.write(totals.map((total) => `simulation: ${total?.[0]}\n`).join(''));
    },
    ENOUGH,
  );

  it.each([['--steps', 'abc'], ['--seeds', '0'], ['--step', '50'], ['--seed']])(
    'refuses what it does not take: %s %s',
    async (...options) => {
      const { status, text } = await simulate(...options);
      expect([status, text]).toEqual([2, expect.stringContaining('Usage:')]);
    },
    ENOUGH,
  );

  it.each(MUTANTS)('still has the place for the mutant $name', (mutant) => {
    const text = readFileSync(join(ROOT, mutant.file), 'utf8');
    expect(mutate(mutant, text)).not.toBe(text);
  });

  it(
    'finds a seeded fault and says how to see it again',
    async () => {
      const { status, text } = await simulate(
        '--mutant',
        'grace-turned-round',
        '--steps',
        '300',
        '--seeds',
        '5',
      );
      expect(status).toBe(1);
      expect(text).toMatch(/Again: npm run simulate -- --seed \d+ --steps 300/);
      expect(text).toMatch(/Shrunk from \d+ to \d+ steps/);
    },
    ENOUGH,
  );
});
