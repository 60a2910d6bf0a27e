import { runParts } from '../support/command-runner.js';
import { LogStates } from '../../src/writing/log-states.js';
import {
  command,
  count,
  counterAggregate,
  type CounterWorld,
  openCounterWorld,
  parts,
} from '../support/counter-world.js';

let world: CounterWorld;

beforeEach(async () => {
  world = await openCounterWorld();
});
afterEach(() => world.close());

describe.each([
  ['read before each write', true],
  ['read after a conflict', false],
])('streams that no view shows, %s', (_, readsFirst) => {
  it('lets each write decide on what the log holds', async () => {
    const aggregate = counterAggregate();
    const states = new LogStates(aggregate, readsFirst ? world.log : undefined);
    const writing = { aggregate, states };
    const told = [];
    for (const by of [1, 2, 3])
      told.push(
        await runParts(world.writer, writing, parts(['counter-a', 'counter-b'], count(by)), command()),
      );
    const results = told.map((outcomes) => outcomes.map((outcome) => 'result' in outcome && outcome.result));
    expect(results).toEqual([
      ['was nothing', 'was nothing'],
      ['was 1', 'was 1'],
      ['was 3', 'was 3'],
    ]);
    const [held] = await states.load(['counter-a']);
    expect(held?.state).toEqual(readsFirst ? { total: 6 } : undefined);
  });
});
