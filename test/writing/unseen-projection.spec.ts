import { UnseenProjection } from '../../src/writing/unseen-projection.js';
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
  ['that reads a stream before it is written', true],
  ['that reads a stream after a conflict', false],
])('a projection of streams without views, %s', (_, readsFirst) => {
  it('lets each write decide on what the log holds', async () => {
    const aggregate = counterAggregate();
    const projection = new UnseenProjection(aggregate, readsFirst ? world.log : undefined);
    const writing = { aggregate, projection, clock: 'world' as const };
    const told = [];
    for (const by of [1, 2, 3])
      told.push(await world.writer.write(writing, parts(['counter-a', 'counter-b'], count(by)), command()));
    const results = told.map((outcomes) => outcomes.map((outcome) => 'result' in outcome && outcome.result));
    expect(results).toEqual([
      ['was nothing', 'was nothing'],
      ['was 1', 'was 1'],
      ['was 3', 'was 3'],
    ]);
    const [held] = await projection.load(['counter-a']);
    expect(held?.state).toEqual(readsFirst ? { total: 6 } : undefined);
  });
});
