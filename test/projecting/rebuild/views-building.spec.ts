import { silentLogger } from '../../../src/config/logger.js';
import { CheckpointKeeper } from '../../../src/projecting/checkpoint-keeper.js';
import type { StreamChange } from '../../../src/writing/aggregate.js';
import { type ViewsBuilder, ViewsBuilding } from '../../../src/projecting/rebuild/index.js';
import {
  command,
  count,
  type Counted,
  type Counter,
  CounterProjection,
  type CounterWorld,
  openCounterWorld,
  parts,
  writing,
} from '../../support/counter-world.js';
import { waitUntil } from '../../support/wait-until.js';

const A = 'counter-a';

/** Views that can be made to take their time. */
class SlowCounters extends CounterProjection {
  held: Promise<void> = Promise.resolve();
  waiting = 0;

  override async project(changes: readonly StreamChange<Counter, Counted>[]): Promise<void> {
    // What is shown is made before it is written.
    const made = changes.map((change) => ({ ...change }));
    this.waiting += 1;
    await this.held;
    this.waiting -= 1;
    await super.project(made);
  }
}

let world: CounterWorld;
let counters: SlowCounters;
let told: string[];
let building: ViewsBuilding;
const progress: [events: number, share: number][] = [];

beforeEach(async () => {
  world = await openCounterWorld();
  counters = new SlowCounters();
  told = [];
  progress.length = 0;
  const builder: ViewsBuilder = {
    projections: [counters],
    sweep: () => Promise.resolve(void told.push(`swept at ${counters.totals()[A]}`)),
    close: () => Promise.resolve(void told.push('closed')),
  };
  const { log, views, clock } = world;
  const ports = { store: log, views, clock, logger: silentLogger };
  building = new ViewsBuilding(builder, ports, (...done) => progress.push(done));
});
afterEach(async () => {
  await building.stop();
  await world.close();
});

const write = () => world.writer.write(writing(world.counters), parts([A], count(1)), command());

describe('the building of views', () => {
  it('ends with everything that was stored by then, swept, and its checkpoint at the head of the log', async () => {
    for (let number = 0; number < 3; number += 1) await write();
    await building.fill();
    expect(counters.totals()).toEqual({ [A]: 3 });
    for (let number = 0; number < 3; number += 1) await write();
    const finishing = building.finish();
    expect(await finishing).toBe(6);
    expect(counters.totals()).toEqual({ [A]: 6 });
    expect(told).toEqual(['swept at 6']);
    expect(progress.at(-1)).toEqual([6, 1]);
    const head = (await world.log.readAll({ limit: 10 })).at(-1)!.position;
    expect(await new CheckpointKeeper(world.views, world.clock).read()).toBe(head);
  });

  it('shows a stream once that its events bring to its end one after another', async () => {
    const builder: ViewsBuilder = {
      projections: [Object.assign(counters, { showsEvent: () => false })],
      sweep: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const { log, views, clock } = world;
    building = new ViewsBuilding(
      builder,
      { store: log, views, clock, logger: silentLogger },
      () => undefined,
    );
    // More than one batch.
    for (let number = 0; number < 601; number += 1) await write();
    await building.fill();
    expect(counters.totals()).toEqual({ [A]: 601 });
    expect(counters.projected).toHaveLength(1);
  });

  it('loses nothing that is stored while what was held back is being shown', async () => {
    const builder: ViewsBuilder = {
      projections: [Object.assign(counters, { showsEvent: () => false })],
      sweep: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const { log, views, clock } = world;
    building = new ViewsBuilding(
      builder,
      { store: log, views, clock, logger: silentLogger },
      () => undefined,
    );
    let release: () => void = () => undefined;
    counters.held = new Promise((resolve) => (release = resolve));
    await write();
    const filling = building.fill();
    await waitUntil(() => counters.waiting);
    await write();
    // A subscription that still followed would have been told of it by now.
    await new Promise((resolve) =>
      log.subscribe(undefined, { handle: () => Promise.resolve(resolve(null)) }),
    );
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    release();
    await filling;
    expect(await building.finish()).toBe(2);
    expect(counters.totals()).toEqual({ [A]: 2 });
  });

  it('fails where the views cannot be written', async () => {
    await write();
    counters.failures = 1;
    await expect(building.fill()).rejects.toThrow('as the test wants it');
  });

  it('does not begin again when it was stopped', async () => {
    await building.stop();
    await expect(building.fill()).rejects.toThrow('stopped');
    await expect(building.finish()).rejects.toThrow('stopped');
    expect(counters.totals()).toEqual({});
  });
});
