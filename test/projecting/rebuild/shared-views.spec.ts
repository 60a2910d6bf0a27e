import { silentLogger } from '../../../src/config/logger.js';
import { SharedViews } from '../../../src/projecting/rebuild/index.js';
import { StoreUnavailableError } from '../../../src/storage/store.errors.js';
import { ManualClock } from '../../support/manual-clock.js';
import { waitUntil } from '../../support/wait-until.js';

type Given = ConstructorParameters<typeof SharedViews>;

const POLLED = 500;

it('an order that cannot be read is told of, ends nothing, and is looked for again', async () => {
  const clock = new ManualClock();
  const told: string[] = [];
  const pointer = { closing: false, number: 1, last: 1 };
  let reads = 0;
  const records = {
    collection: () => {
      reads += 1;
      return Promise.reject(new StoreUnavailableError('The server is away, as the test wants it.', false));
    },
  };
  const inUse = {
    ...{ number: 1, replacing: false },
    poll: () => Promise.resolve(pointer),
    pointers: { change: () => Promise.resolve(pointer) },
  };
  const shared = { inUse, records, removeFormer: () => Promise.resolve() };
  const logger = { ...silentLogger, warn: (_: object, line: string) => void told.push(line) };
  const views = new SharedViews(
    { clock, logger, shared } as unknown as Given[0],
    { leads: true, fence: 1 } as Given[1],
    {} as Given[2],
    { stop: () => Promise.resolve() } as unknown as Given[3],
  );
  views.start();
  await waitUntil(() => {
    clock.advance(POLLED);
    return reads >= 2;
  });
  await waitUntil(() => told.length >= 2);
  expect(new Set(told)).toEqual(new Set(['Whether a rebuild is asked for could not be told; trying again.']));
  await views.onModuleDestroy();
});
