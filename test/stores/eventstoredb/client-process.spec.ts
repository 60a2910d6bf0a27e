import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { upTo } from '../../support/campaign.js';

const LEADERS = upTo(20, 100);

interface Ended {
  readonly code: number;
  readonly result: Record<string, unknown>;
}

function run(...mode: readonly string[]): Promise<Ended> {
  const script = join(__dirname, 'client-process.script.ts');
  const register = join(__dirname, '..', '..', '..', 'scripts', 'run-typescript.cjs');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['-r', register, script, ...mode],
      { timeout: 240_000 },
      (error, output, errors) => {
        const last = output.trim().split('\n').at(-1);
        if (!last) return reject(new Error(`The process printed nothing. ${errors}`));
        resolve({ code: Number(error?.code ?? 0), result: JSON.parse(last) as Record<string, unknown> });
      },
    );
  });
}

describe('the client in a process of its own', () => {
  test('the server killed under 200 appends: the process lives, ends by itself, and all are stored once', async () => {
    const { code, result } = await run('kill');
    expect({ code, result }).toMatchObject({ code: 0, result: { appended: 200, stored: 200 } });
    expect(result['log']).toBeLessThanOrEqual(1);
  });

  test(`${LEADERS} leaders killed, whose connections end late: the process lives, nothing is lost or stored twice`, async () => {
    const { code, result } = await run('leaders', String(LEADERS));
    expect({ code, result }).toMatchObject({
      code: 0,
      result: { appended: 6 * LEADERS, stored: 6 * LEADERS, distinct: 6 * LEADERS },
    });
  });
});
