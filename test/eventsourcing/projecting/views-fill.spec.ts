import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { DerivedView } from '#eventsourcing/projecting/derived-view.js';
import { ReplacingStore } from '#eventsourcing/projecting/replacing-store.js';
import { NO_WRITERS_HERE, ViewsFill, type WithoutWriters } from '#eventsourcing/projecting/views-fill.js';
import type { Snapshot } from '#eventsourcing/writing/aggregate.js';
import { checkedByRebuild, type Projector, type StreamChange } from '#eventsourcing/writing/projector.js';
import { readFrom } from '#eventsourcing/writing/stored-stream.js';
import { ViewStates } from '#eventsourcing/writing/view-states.js';
import { runParts } from '../../support/command-runner.js';
import {
  command,
  count,
  type Counted,
  type Counter,
  counterAggregate,
  type CounterWorld,
  openCounterWorld,
  parts,
} from '../../support/counter-world.js';
import { withMembers } from '../../support/with-members.js';

type CounterDocument = StoredDocument & Counter & Omit<Snapshot<Counter>, 'state'>;

const COUNTERS: CollectionDeclaration<CounterDocument> = { name: 'counters', indexes: {} };

/** Counters with a document each, which is their state for the next write, as a unit's is. */
class StoredCounters implements Projector<Counter, Counted> {
  readonly fold = counterAggregate();
  readonly documents = [checkedByRebuild(COUNTERS, ({ _id }) => _id)];
  readonly states: ViewStates<Counter, CounterDocument>;

  constructor(private readonly views: DocumentStore) {
    const toSnapshot = ({ _id, total, ...rest }: CounterDocument) => ({ state: { total }, ...rest });
    this.states = new ViewStates(views, { collection: COUNTERS, idOf: (stream) => stream, toSnapshot });
  }

  shown(streams: readonly string[]): Promise<number[]> {
    return this.states.shownRevisions(streams);
  }

  async project(changes: readonly StreamChange<Counter, Counted>[]): Promise<void> {
    await this.views.collection(COUNTERS);
    await this.views.write(
      changes.map(({ stream, after: { state, ...rest } }) => {
        const document: CounterDocument = { _id: stream, ...state, ...rest };
        return { kind: 'put_if_newer', collection: COUNTERS.name, document };
      }),
    );
  }
}

const [A, B] = ['counter-a', 'counter-b'];
const ALL = [A, B, 'counter-c', 'counter-d', 'counter-e', 'counter-f'];

let world: CounterWorld;
/** Of the service, beside the fill. */
let counters: StoredCounters;
let isAlone: boolean;

beforeEach(async () => {
  world = await openCounterWorld();
  counters = new StoredCounters(world.views);
  isAlone = false;
  for (const stream of ALL) await add(stream);
  await falsify(B);
});
afterEach(() => world.close());

/** Goes on from the document, and replaces it. */
async function add(stream: string): Promise<void> {
  const kind = { aggregate: counters.fold, states: counters.states, projector: counters };
  await runParts(world.writer, kind, parts([stream], count(1)), command());
}

async function documentOf(stream: string): Promise<CounterDocument> {
  return (await (await world.views.collection(COUNTERS)).get(stream))!;
}

/** As a request leaves the document that had read a wrong one. */
async function falsify(stream: string): Promise<void> {
  const document = { ...(await documentOf(stream)), total: 1_000 };
  await world.views.write([{ kind: 'put', collection: COUNTERS.name, document }]);
}

/** Each command counts one. */
async function expectRight(): Promise<void> {
  for (const stream of ALL) {
    const events = await readFrom(world.log, counters.fold, stream, 0);
    expect(await documentOf(stream)).toMatchObject({ total: events.length, revision: events.length - 1 });
  }
}

/** As in the service: commands on these streams wait. */
const withoutWriters: WithoutWriters = (streams, work) =>
  world.writer.alone(streams, {}, async () => {
    isAlone = true;
    try {
      return await work();
    } finally {
      isAlone = false;
    }
  });

interface Beside {
  readonly withoutWriters: WithoutWriters;
  /** While the fill waits for the requests that may have read a wrong document. */
  readonly duringPause: (pause: number) => Promise<void>;
  /** After the fill has read a stream, for the n-th time, and before it compares documents. */
  readonly afterRead?: (stream: string, time: number) => Promise<void>;
}

/** @returns the number of pauses */
async function fill({ withoutWriters, duringPause, afterRead }: Beside): Promise<number> {
  const times = new Map<string, number>();
  let pauses = 0;
  const views = new ReplacingStore(world.views);
  await new ViewsFill({
    store: withMembers(world.log, {
      readStream: async (stream, options) => {
        const events = await world.log.readStream(stream, options);
        const time = (times.get(stream) ?? 0) + 1;
        times.set(stream, time);
        await afterRead?.(stream, time);
        return events;
      },
    }),
    damaged: new DamagedStreams(),
    clock: {
      now: () => world.clock.now(),
      after: (_milliseconds, task) => {
        pauses += 1;
        void duringPause(pauses).then(task);
        return () => undefined;
      },
    },
    withoutWriters,
    views,
    builder: {
      projectors: [new StoredCounters(views)],
      derived: { run: () => Promise.resolve() } as unknown as DerivedView,
      forgetCounts: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    progress: () => undefined,
    signal: new AbortController().signal,
  }).run();
  return pauses;
}

describe('beside commands of this process that come whenever they may', () => {
  let commands: Promise<void>[];

  const overtake = async (stream: string) => {
    const added = add(stream);
    commands.push(added);
    if (!isAlone) await added;
  };

  beforeEach(() => {
    commands = [];
  });

  test('a fill ends, and keeps their documents', async () => {
    const duringPause = async () => {
      for (const stream of ALL) await add(stream);
    };
    await fill({ withoutWriters, duringPause, afterRead: overtake });
    await Promise.all(commands);
    expect(commands.length).toBeGreaterThanOrEqual(ALL.length);
    await expectRight();
  });

  test('a fill corrects a document that each of them makes of the wrong one before it', async () => {
    const duringPause = async (pause: number) => {
      if (pause > 1) return;
      await falsify(A);
      await add(A);
      expect(await documentOf(A)).toMatchObject({ total: 1_001 });
    };
    await fill({ withoutWriters, duringPause, afterRead: overtake });
    await Promise.all(commands);
    await expectRight();
  });
});

describe('beside another process', () => {
  test('a fill is done with each stream as soon as nobody overtakes that one', async () => {
    const duringPause = async () => {
      for (const stream of [A, B]) await add(stream);
    };
    const afterRead = async (stream: string, time: number) => {
      if (stream === (time % 2 === 1 ? A : B)) await add(stream);
    };
    await fill({ withoutWriters: NO_WRITERS_HERE, duringPause, afterRead });
    await expectRight();
  });

  test('a fill looks once more after it has replaced a document that a request may have read', async () => {
    const duringPause = async (pause: number) => {
      if (pause > 2) return;
      await add(A);
      await falsify(A);
    };
    expect(await fill({ withoutWriters: NO_WRITERS_HERE, duringPause })).toBe(3);
    await expectRight();
  });
});
