import { assertStreamPrefix, keepStreamPrefix } from '#eventsourcing/documents/stream-prefix-record.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../../support/embedded-world.js';

describe('the prefix that records were made with', () => {
  let world: EmbeddedWorld;
  beforeEach(async () => {
    world = await openEmbeddedWorld();
  });
  afterEach(() => world.close());

  it('is kept by the first start, and another one is refused in a line that says what to set', async () => {
    await assertStreamPrefix(world.records, 'anything.');
    await keepStreamPrefix(world.records, 'one.');
    await keepStreamPrefix(world.records, 'one.');
    const refused = {
      code: 'other_stream_prefix',
      message: expect.stringMatching(/^EVENTSTORE_STREAM_PREFIX is "two\.", .* made with "one\.".*\.$/),
    };
    await expect(keepStreamPrefix(world.records, 'two.')).rejects.toMatchObject(refused);
    await expect(assertStreamPrefix(world.records, 'two.')).rejects.toMatchObject(refused);
    await assertStreamPrefix(world.records, 'one.');
  });
});
