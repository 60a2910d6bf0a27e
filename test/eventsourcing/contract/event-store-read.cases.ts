import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { uniqueName } from './contract-case.js';
import {
  appended,
  appendOf,
  everythingAfter,
  startingPoint,
  type EventStoreCase,
} from './event-store.samples.js';

function revisions(events: readonly RecordedEvent[]): number[] {
  return events.map(({ revision }) => revision);
}

const streamReads: EventStoreCase[] = [
  {
    name: 'a stream is read in the order of its revisions',
    async run({ store }) {
      const stream = uniqueName('read');
      const append = appendOf(stream, 'no_stream', 5);
      await appended(store, append);
      const events = await store.readStream(stream);
      expect(revisions(events)).toEqual([0, 1, 2, 3, 4]);
      expect(events.map(({ id }) => id)).toEqual(append.events.map(({ id }) => id));
    },
  },
  {
    name: 'a stream is read from a revision on, inclusive',
    async run({ store }) {
      const stream = uniqueName('read');
      await appended(store, appendOf(stream, 'no_stream', 5));
      expect(revisions(await store.readStream(stream, { from: 3 }))).toEqual([3, 4]);
      expect(revisions(await store.readStream(stream, { from: 4 }))).toEqual([4]);
      expect(revisions(await store.readStream(stream, { from: 5 }))).toEqual([]);
      expect(revisions(await store.readStream(stream, { from: 500 }))).toEqual([]);
    },
  },
  {
    name: 'a limit ends the read of a stream',
    async run({ store }) {
      const stream = uniqueName('read');
      await appended(store, appendOf(stream, 'no_stream', 5));
      expect(revisions(await store.readStream(stream, { limit: 2 }))).toEqual([0, 1]);
      expect(revisions(await store.readStream(stream, { from: 1, limit: 2 }))).toEqual([1, 2]);
      expect(revisions(await store.readStream(stream, { limit: 50 }))).toEqual([0, 1, 2, 3, 4]);
    },
  },
  {
    name: 'backwards a stream is read from its head down, or from a revision',
    async run({ store }) {
      const stream = uniqueName('read');
      await appended(store, appendOf(stream, 'no_stream', 5));
      expect(revisions(await store.readStream(stream, { backwards: true }))).toEqual([4, 3, 2, 1, 0]);
      expect(revisions(await store.readStream(stream, { backwards: true, limit: 1 }))).toEqual([4]);
      expect(revisions(await store.readStream(stream, { backwards: true, from: 2 }))).toEqual([2, 1, 0]);
      expect(revisions(await store.readStream(stream, { backwards: true, from: 3, limit: 2 }))).toEqual([
        3, 2,
      ]);
    },
  },
  {
    name: 'a stream of several appends is read from each revision, in both directions, to each limit',
    async run({ store }) {
      const stream = uniqueName('read');
      const other = `${stream}-other`;
      let head = -1;
      for (const count of [3, 1, 2]) {
        const expected = head < 0 ? ('no_stream' as const) : head;
        await appended(store, appendOf(stream, expected, count), appendOf(other, expected, count));
        head += count;
      }
      const all = [0, 1, 2, 3, 4, 5];
      for (const from of [...all, 6]) {
        for (const limit of [1, 2, 4, 9]) {
          const onwards = await store.readStream(stream, { from, limit });
          expect([from, limit, revisions(onwards)]).toEqual([from, limit, all.slice(from, from + limit)]);
          const back = await store.readStream(stream, { from, limit, backwards: true });
          const expected = all
            .slice(0, from + 1)
            .reverse()
            .slice(0, limit);
          expect([from, limit, revisions(back)]).toEqual([from, limit, expected]);
        }
      }
    },
  },
  {
    name: 'a stream that does not exist is empty in either direction, beside one that does',
    async run({ store }) {
      const stream = uniqueName('read');
      await appended(store, appendOf(stream, 'no_stream'));
      expect(await store.readStream(`${stream}-none`)).toEqual([]);
      expect(await store.readStream(`${stream}-none`, { backwards: true, limit: 1 })).toEqual([]);
      expect(await store.readStream(stream)).toHaveLength(1);
    },
  },
  {
    name: 'a stream of 1,200 events is read whole',
    async run({ store }) {
      const stream = uniqueName('long');
      await appended(store, appendOf(stream, 'no_stream', 600));
      await appended(store, appendOf(stream, 599, 600));
      const events = await store.readStream(stream);
      expect(revisions(events)).toEqual(Array.from({ length: 1_200 }, (_, revision) => revision));
    },
  },
  {
    name: 'streams whose names begin alike are told apart',
    async run({ store }) {
      const stream = uniqueName('prefix');
      const appends = ['', '-', '-1', '-11', '-1-1', ' '].map((suffix, index) =>
        appendOf(`${stream}${suffix}`, 'no_stream', index + 1),
      );
      await appended(store, ...appends);
      const counts = await Promise.all(appends.map((append) => store.readStream(append.stream)));
      expect(counts.map((events) => events.length)).toEqual([1, 2, 3, 4, 5, 6]);
    },
  },
];

const allReads: EventStoreCase[] = [
  {
    name: 'all events are read in position order, those of a stream in revision order',
    async run({ store }) {
      const name = uniqueName('all');
      const start = await startingPoint(store, name);
      await resultsAtOnce(
        Array.from(
          { length: 10 },
          (_, number) => () => appended(store, appendOf(`${name}-${number}`, 'no_stream', 3)),
        ),
      );
      const events = await everythingAfter(store, start);
      const positions = events.map(({ position }) => position);
      expect(positions.every((position, index) => index === 0 || position > positions[index - 1]!)).toBe(
        true,
      );
      for (let number = 0; number < 10; number += 1) {
        expect(revisions(events.filter(({ stream }) => stream === `${name}-${number}`))).toEqual([0, 1, 2]);
      }
    },
  },
  {
    name: 'reading all begins after the position given',
    async run({ store }) {
      const name = uniqueName('all');
      await startingPoint(store, name);
      await appended(store, appendOf(name, 'no_stream', 4));
      const stored = await store.readStream(name);
      const after = await everythingAfter(store, stored[1]!.position);
      expect(after.filter(({ stream }) => stream === name)).toEqual(stored.slice(2));
      expect(after.every(({ position }) => position > stored[1]!.position)).toBe(true);
    },
  },
  {
    name: 'reading all begins and ends within an append, in both directions',
    async run({ store }) {
      const name = uniqueName('all');
      const start = await startingPoint(store, name);
      await appended(store, appendOf(`${name}-1`, 'no_stream', 3), appendOf(`${name}-2`, 'no_stream', 2));
      await appended(store, appendOf(`${name}-1`, 2, 2));
      const all = await everythingAfter(store, start);
      expect(all.length).toBeGreaterThanOrEqual(7);
      const places = [...all.keys()];
      for (const from of places) {
        for (const limit of [1, 2, 100]) {
          const after = await store.readAll({ after: all[from]!.position, limit });
          expect(after).toEqual(all.slice(from + 1, from + 1 + limit));
          for (const to of places.slice(from)) {
            const range = { after: all[from]!.position, before: all[to]!.position };
            const back = await store.readAll({ ...range, limit, backwards: true });
            expect(back).toEqual(
              all
                .slice(from + 1, to)
                .reverse()
                .slice(0, limit),
            );
          }
        }
      }
    },
  },
  {
    name: 'reading all returns no more than its limit, and pages join without gaps or repeats',
    async run({ store }) {
      const name = uniqueName('all');
      const start = await startingPoint(store, name);
      await appended(store, appendOf(name, 'no_stream', 25));
      const paged: RecordedEvent[] = [];
      for (let after = start; ; after = paged.at(-1)!.position) {
        const page = await store.readAll({ after, limit: 7 });
        expect(page.length).toBeLessThanOrEqual(7);
        paged.push(...page);
        if (page.length === 0) break;
      }
      expect(revisions(paged.filter(({ stream }) => stream === name))).toEqual([...Array(25).keys()]);
    },
  },
  {
    name: 'a bounded scan says how far it went, and goes on from there to the same events',
    async run({ store }) {
      const start = await startingPoint(store, uniqueName('looked'));
      for (let stream = 0; stream < 6; stream += 1)
        await appended(store, appendOf(uniqueName('looked'), 'no_stream', 2));
      const all = await everythingAfter(store, start);
      expect(all.length).toBeGreaterThanOrEqual(12);
      const found: RecordedEvent[] = [];
      let place = start;
      for (let looks = 0, before: bigint | undefined = -1n; place !== before; looks += 1) {
        expect(looks).toBeLessThan(50);
        before = place;
        const page = await store.readAll({
          after: place,
          limit: 5,
          scan: { atMost: 3, upTo: (position) => (place = position) },
        });
        found.push(...page);
        for (const { position } of page) expect(position).toBeLessThanOrEqual(place);
      }
      expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    },
  },
  {
    name: 'backwards all events are read from the newest on, down to the first after a position',
    async run({ store }) {
      const name = uniqueName('all');
      const start = await startingPoint(store, name);
      await appended(store, appendOf(name, 'no_stream', 4));
      const [third] = await store.readStream(name, { from: 1, limit: 1 });
      const newest = await store.readAll({ limit: 100_000, backwards: true, after: start });
      expect(revisions(newest.filter(({ stream }) => stream === name))).toEqual([3, 2, 1, 0]);
      expect(
        newest.every(({ position }, index) => position < (newest[index - 1]?.position ?? position + 1n)),
      ).toBe(true);
      const after = await store.readAll({ limit: 100_000, backwards: true, after: third!.position });
      expect(revisions(after.filter(({ stream }) => stream === name))).toEqual([3, 2]);
      expect(await store.readAll({ limit: 1, backwards: true })).toHaveLength(1);
    },
  },
  {
    name: 'a bounded scan backwards goes on before where it ended, to the same events, and says where nothing is left',
    async run({ store }) {
      const start = await startingPoint(store, uniqueName('back'));
      for (let stream = 0; stream < 6; stream += 1)
        await appended(store, appendOf(uniqueName('back'), 'no_stream', 2));
      const all = await everythingAfter(store, start);
      const found: RecordedEvent[] = [];
      let place: bigint | undefined;
      for (let looks = 0, end = start + 1n; end > start; looks += 1) {
        expect(looks).toBeLessThan(50);
        const before = place === undefined ? {} : { before: place };
        const scan = { atMost: 3, upTo: (position: bigint) => void (end = position) };
        const page = await store.readAll({ backwards: true, after: start, limit: 5, scan, ...before });
        found.push(...page);
        for (const { position } of page) expect(position).toBeGreaterThanOrEqual(end);
        place = end;
      }
      expect(place).toBe(start);
      expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id).reverse());
    },
  },
  {
    name: 'reading all from the beginning finds events',
    async run({ store }) {
      await startingPoint(store, uniqueName('all'));
      const [first] = await store.readAll({ limit: 1 });
      expect(typeof first?.position).toBe('bigint');
    },
  },
  {
    name: 'nothing follows the last event',
    async run({ store }) {
      const name = uniqueName('all');
      const [outcome] = await appended(store, appendOf(name, 'no_stream'));
      expect((await store.readStream(name)).at(-1)?.position).toBe(outcome!.position);
      const after = await store.readAll({ after: outcome!.position, limit: 10 });
      expect(after.filter(({ stream }) => stream === name)).toEqual([]);
    },
  },
  {
    name: 'the head is where an acknowledged append stands, and no scan goes beyond it',
    async run({ store }) {
      const start = await startingPoint(store, uniqueName('head'));
      const [first] = await appended(store, appendOf(uniqueName('head'), 'no_stream', 3));
      const head = await store.head();
      expect(head).toBeGreaterThanOrEqual(first!.position);
      let end = 0n;
      await store.readAll({
        after: start,
        limit: 100,
        scan: { atMost: 100, upTo: (position) => (end = position) },
      });
      expect(end).toBeGreaterThanOrEqual(first!.position);
      expect(await store.head()).toBeGreaterThanOrEqual(end);
      const [second] = await appended(store, appendOf(uniqueName('head'), 'no_stream'));
      expect(second!.position).toBeGreaterThan(head!);
      expect(await store.head()).toBeGreaterThanOrEqual(second!.position);
    },
  },
  {
    name: 'an event reads alike from its stream and from all',
    async run({ store }) {
      const name = uniqueName('all');
      const start = await startingPoint(store, name);
      await appended(store, appendOf(name, 'no_stream', 2));
      const events = await everythingAfter(store, start);
      const ours = events.filter(({ stream }) => stream === name);
      expect(ours).toHaveLength(2);
      expect(ours).toEqual(await store.readStream(name));
    },
  },
];

export const readCases: EventStoreCase[] = [...streamReads, ...allReads];
