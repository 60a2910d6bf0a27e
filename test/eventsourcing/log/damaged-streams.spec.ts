import { type DamageCause, DamagedStreams, type StreamDamage } from '#eventsourcing/log/damaged-streams.js';

const damaged = (stream: string, cause: DamageCause): StreamDamage => ({ stream, revision: 2, cause });

test('takes over the streams that another process found', async () => {
  const streams = new DamagedStreams();
  await streams.learn(() => Promise.resolve([damaged('A', 'limited')]));
  expect(streams.listDamages()).toEqual([damaged('A', 'limited')]);
});

test('a list read before a stream was restored does not put it aside again', async () => {
  const streams = new DamagedStreams();
  await streams.found(damaged('A', 'limited'));
  await streams.learn(async () => {
    await streams.restored('A');
    return [damaged('A', 'limited')];
  });
  expect(streams.findDamage('A')).toBeUndefined();
});

test('a list read before damage was found does not hide it', async () => {
  const streams = new DamagedStreams();
  await streams.learn(async () => {
    await streams.found(damaged('A', 'deleted'));
    return [];
  });
  expect(streams.findDamage('A')).toEqual(damaged('A', 'deleted'));
});
