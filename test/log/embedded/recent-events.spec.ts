import { setImmediate as nextTurn } from 'node:timers/promises';
import { openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import { EmbeddedEventStore } from '../../../src/log/embedded/embedded-event-store.js';
import { RecentEvents } from '../../../src/log/embedded/recent-events.js';
import type { RecordedEvent } from '../../../src/log/event-store.js';
import { ManualClock } from '../../support/manual-clock.js';
import { Random } from '../../campaigns/faults/random.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function eventAt(position: number): RecordedEvent {
  const id = `id-${position}`;
  return {
    id,
    type: 'T',
    data: {},
    metadata: {},
    stream: 's',
    revision: position,
    position: BigInt(position),
  };
}

describe('the newest events', () => {
  it.each([1, 2, 3])('are those of the log, or it is said that they are not known (seed %s)', (seed) => {
    const random = new Random(seed);
    const recent = new RecentEvents(0);
    const log: number[] = [];
    let position = 0;
    for (let step = 0; step < 400; step += 1) {
      // Failed commits leave gaps.
      position += random.chance(0.1) ? 7 : 0;
      const news = Array.from({ length: random.whole(1, 60) }, () => (position += 1));
      log.push(...news);
      recent.add(news.map((at) => ({ event: eventAt(at), characters: random.chance(0.01) ? 900_000 : 900 })));
      if (random.chance(0.02)) recent.forgetTo(position);
      const after = position - random.whole(0, 3_000);
      const limit = random.whole(1, 100);
      const known = recent.readAfter(after, limit);
      const expected = log.filter((at) => at > after).slice(0, limit);
      if (known !== undefined) expect(known.map((event) => Number(event.position))).toEqual(expected);
      expect(recent.readAfter(position, 1)).toEqual([]);
    }
  });

  it('are the last thousands and no more', () => {
    const recent = new RecentEvents(0);
    for (let position = 1; position <= 20_000; position += 1) {
      recent.add([{ event: eventAt(position), characters: 100 }]);
    }
    expect(recent.readAfter(19_000, 5)).toHaveLength(5);
    expect(recent.readAfter(15_000, 5)).toBeUndefined();
  });

  it('are read from the file after a commit that failed and stands none the less', async () => {
    const folder = await temporaryFolder();
    let fault: Error | undefined;
    const database = await openEmbeddedDatabase({
      folder: folder.path,
      durable: false,
      clock: new ManualClock(),
      interceptCommit: async (commit) => {
        await commit();
        if (fault !== undefined) throw fault;
      },
    });
    const store = new EmbeddedEventStore(database);
    const append = (stream: string) => {
      const event = { id: crypto.randomUUID(), type: 'T', data: { stream }, metadata: {} };
      return store.append([{ stream, expected: 'no_stream', events: [event] }]);
    };
    const streams: string[] = [];
    const all = new Promise<void>((resolve) => {
      store.subscribe(undefined, {
        handle: (events) => {
          streams.push(...events.map(({ stream }) => stream));
          if (streams.length === 3) resolve();
          return Promise.resolve();
        },
      });
    });
    await append('first');
    fault = new Error('The answer of the commit was lost.');
    await expect(append('second')).rejects.toThrow('lost');
    fault = undefined;
    // Whoever asks in the same turn shares the failure.
    await nextTurn();
    await append('third');
    await all;
    expect(streams).toEqual(['first', 'second', 'third']);
    await store.close();
    await folder.remove();
  });
});
