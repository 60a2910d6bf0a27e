import { appendOf } from '../../eventsourcing/contract/event-store.samples.js';
import { clockOfLongTurns, turnsDuring } from '../../support/turns.js';
import { bench, closeBenches, PATIENT } from './fixture.js';

const EVENTS = 300;

afterEach(async () => {
  jest.restoreAllMocks();
  await closeBenches();
});

/** The client decodes an event when it is taken. The double sends all of them at once. */
test('events that take long to decode leave the event loop to others after each of them', async () => {
  const { store } = await bench({ timings: PATIENT });
  await store.append([appendOf('s', 'no_stream', EVENTS)]);
  const usual = await store.readStream('s');
  jest.spyOn(performance, 'now').mockImplementation(clockOfLongTurns());
  let found: unknown;
  const turns = await turnsDuring(async () => (found = await store.readStream('s')));
  expect(found).toEqual(usual);
  expect(turns).toBeGreaterThan(EVENTS);
});
