import { setImmediate as nextTurn } from 'node:timers/promises';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { type RecordedEvent, STREAM_CHANGED } from '#eventsourcing/log/event-store.js';
import { SoundStreams } from '#eventsourcing/log/sound-streams.js';
import { storeOf } from '../proof/small-log.js';

const written = (position: bigint): RecordedEvent => ({
  id: `event ${position}`,
  type: 'UnitCreated',
  stream: 'unit-1',
  revision: 0,
  position,
  data: {},
  metadata: { schema: 1 },
});
const changed = (position: bigint, data: RecordedEvent['data']): RecordedEvent => ({
  ...written(position),
  type: STREAM_CHANGED,
  data,
  metadata: {},
});

/** A stream whose events the store was told to delete, until somebody took that back. */
const limitedForAWhile = () => {
  const event = written(1n);
  // A change stands in the whole log, and is no event of the stream.
  const stream = storeOf([event]);
  return {
    ...storeOf([event, changed(2n, { $maxAge: 60 }), changed(3n, {})]),
    readStream: () => stream.readStream('unit-1'),
  };
};

test('a stream is put aside while its metadata delete its oldest events', async () => {
  const damaged = new DamagedStreams();
  await new SoundStreams(limitedForAWhile(), damaged).readAll({ limit: 2 });
  expect(damaged.findDamage('unit-1')).toMatchObject({ cause: 'limited' });
});

test('a reader that is behind does not put aside again what a later change set free', async () => {
  const damaged = new DamagedStreams();
  const log = new SoundStreams(limitedForAWhile(), damaged);
  await log.readAll({ limit: 3 });
  await log.readAll({ limit: 2 });
  expect(damaged.findDamage('unit-1')).toBeUndefined();
});

test('a look that is still keeping an old damage does not put aside what a later change set free', async () => {
  let endKeeping!: () => void;
  const keeping = new Promise<void>((resolve) => (endKeeping = resolve));
  const damaged = new DamagedStreams({ keep: () => keeping, forget: () => Promise.resolve() });
  const log = new SoundStreams(limitedForAWhile(), damaged);
  const behind = log.readAll({ limit: 2 });
  const ahead = log.readAll({ after: 2n, limit: 1 });
  await nextTurn();
  endKeeping();
  await Promise.all([behind, ahead]);
  expect(damaged.findDamage('unit-1')).toBeUndefined();
});
