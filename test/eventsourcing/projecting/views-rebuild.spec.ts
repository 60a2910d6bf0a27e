import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { RebuildRecord } from '#eventsourcing/projecting/rebuild-record.js';
import { ViewsRebuild } from '#eventsourcing/projecting/views-rebuild.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { type CounterWorld, openCounterWorld } from '../../support/counter-world.js';
import { ManualClock } from '../../support/manual-clock.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

type Given = ConstructorParameters<typeof ViewsRebuild>;

const SECOND = 1_000;

let world: CounterWorld;
let clock: ManualClock;
let rebuild: ViewsRebuild;
let isAway: boolean;
let looks: number;
let fills: number;
const warned: string[] = [];

beforeEach(async () => {
  world = await openCounterWorld();
  clock = new ManualClock();
  [isAway, looks, fills] = [false, 0, 0];
  warned.length = 0;
  const records = withMembers<DocumentStore>(world.views, {
    collection: (declaration) => {
      looks += 1;
      return isAway
        ? Promise.reject(new StoreUnavailableError('Away.', true))
        : world.views.collection(declaration);
    },
  });
  const logger = { info: () => undefined, warn: (_: unknown, text: string) => warned.push(text) };
  const filler = {
    fill: () => {
      fills += 1;
      return Promise.resolve({ events: 0 });
    },
  };
  rebuild = new ViewsRebuild(
    { records, views: world.views, clock, logger } as unknown as Given[0],
    filler as unknown as Given[1],
    { leads: true },
  );
});
afterEach(async () => {
  await rebuild.onModuleDestroy();
  await world.close();
});

/** Lets the next check come, and waits until the one after it is scheduled. */
async function checkOnce(): Promise<void> {
  const before = looks;
  clock.advance(SECOND);
  await waitUntil(() => looks > before && clock.pending > 0);
}

it('an outage says nothing of a rebuild that nobody asked for', async () => {
  rebuild.start();
  isAway = true;
  for (let check = 0; check < 3; check += 1) await checkOnce();
  expect(warned).toEqual([]);
});

it('a rebuild that was requested before an outage begins after it', async () => {
  await new RebuildRecord(world.views).request(clock.now());
  rebuild.start();
  isAway = true;
  await checkOnce();
  isAway = false;
  await checkOnce();
  await waitUntil(() => fills === 1);
  expect(warned).toEqual([]);
});
