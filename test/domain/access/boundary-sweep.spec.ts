import { BoundarySweep, type TenantAccessViews } from '#domain/access/index.js';
import { silentLogger } from '#kernel/logger.js';
import { ManualClock } from '../../support/manual-clock.js';

const SECOND = 1_000;

test('the sweep at boundaries goes on for all others while one of sandboxes takes long, and ends with it', async () => {
  const clock = new ManualClock();
  let goOn: () => void = () => undefined;
  const ofSandboxes = new Promise<void>((resolve) => (goOn = resolve));
  const asked: string[] = [];
  const sweep = (companies?: readonly string[]) => {
    asked.push(companies === undefined ? 'all' : 'world');
    return companies === undefined ? ofSandboxes : Promise.resolve();
  };
  const boundaries = new BoundarySweep(clock, silentLogger, { sweep } as unknown as TenantAccessViews);
  boundaries.start();
  for (let second = 0; second < 20; second += 1) {
    clock.advance(SECOND);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(asked.filter((one) => one === 'world')).toHaveLength(20);
  expect(asked.filter((one) => one === 'all')).toHaveLength(1);

  let hasStopped = false;
  const stopped = boundaries.stop().then(() => (hasStopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasStopped).toBe(false);
  goOn();
  await stopped;
  expect(clock.pending).toBe(0);
});
