import fc from 'fast-check';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  FindOptions,
  IndexValue,
} from '#eventsourcing/documents/document-store.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { MemoryDocumentStore } from '../../../campaigns/simulation/stores/memory-document-store.js';
import {
  idsByPages,
  type Sample,
  sampleCollection,
} from '../../../eventsourcing/contract/document-store.samples.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { runs } from '../../../support/campaign.js';

const COLLECTION = 'samples';
const declaration: CollectionDeclaration<Sample> = {
  name: COLLECTION,
  indexes: {
    by_rank_tags: { fields: ['rank', 'tags'] },
    by_code: { fields: ['code'], unique: true },
  },
  expiry: 'expires_at',
};

// Few values, so that documents meet and keys are taken.
const id = fc.integer({ min: 0, max: 30 }).map((number) => `id-${number}`);
const rank = fc.constantFrom<IndexValue>(null, -1, 0, 1, 'a', 'é', '\u{1f600}');
const tag = fc.constantFrom('x', 'y', 'z');
const code = fc.option(fc.integer({ min: 0, max: 12 }), { nil: null });
const START = Date.UTC(2026, 0, 1);
const version = fc.integer({ min: 1, max: 3 });
const document = fc.record({
  _id: id,
  rank,
  tags: fc.oneof(tag, fc.array(tag, { maxLength: 3 })),
  code,
  version,
  revision: version,
  expires_at: fc.option(fc.integer({ min: START, max: START + 100 }), { nil: null, freq: 2 }),
});
const collection = fc.constant(COLLECTION);
const write: fc.Arbitrary<DocumentWrite> = fc.oneof(
  fc.record({ kind: fc.constantFrom('insert', 'put', 'put_if_newer'), collection, document }),
  fc.record({
    kind: fc.constant('compare_and_set' as const),
    collection,
    expected: fc.option(version),
    document,
  }),
  fc.record({ kind: fc.constant('delete' as const), collection, id }),
);

const bounded = fc.record({ from: rank, to: rank, descending: fc.boolean() }, { requiredKeys: ['from'] });
const equal = fc.record(
  {
    equals: fc.tuple(rank),
    descending: fc.boolean(),
    from: tag,
    to: tag,
  },
  { requiredKeys: ['equals'] },
);
const find: fc.Arbitrary<FindOptions> = fc
  .tuple(fc.oneof(bounded, equal), fc.integer({ min: 1, max: 7 }))
  .map(([options, limit]) => ({ equals: [], ...options, limit }));

type Step =
  | { readonly kind: 'write'; readonly writes: readonly DocumentWrite[] }
  | { readonly kind: 'find'; readonly options: FindOptions }
  | { readonly kind: 'find_any'; readonly values: readonly IndexValue[] }
  | { readonly kind: 'advance'; readonly milliseconds: number }
  | { readonly kind: 'flush' | 'begin_flush' | 'get' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(write, { minLength: 1, maxLength: 8 })
      .map((writes) => ({ kind: 'write' as const, writes })),
  },
  { weight: 6, arbitrary: find.map((options) => ({ kind: 'find' as const, options })) },
  {
    weight: 1,
    arbitrary: fc.array(rank, { maxLength: 3 }).map((values) => ({ kind: 'find_any' as const, values })),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 40 })
      .map((milliseconds) => ({ kind: 'advance' as const, milliseconds })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>({ kind: 'flush' }, { kind: 'begin_flush' }, { kind: 'get' }),
  },
);

async function outcome(store: DocumentStore, step: Step): Promise<unknown> {
  const samples = await sampleCollection(store, declaration);
  switch (step.kind) {
    case 'write':
      return store.write(step.writes);
    case 'find':
      return idsByPages(samples, 'by_rank_tags', step.options);
    case 'find_any':
      return (await samples.findAny('by_rank_tags', step.values)).map(({ _id }) => _id).sort();
    case 'get':
      return samples.getMany(Array.from({ length: 31 }, (_, number) => `id-${number}`));
    default:
      return undefined;
  }
}

test('a store that writes behind answers as one in memory, wherever it is flushed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const folder = await temporaryFolder();
      const clock = new ManualClock(START);
      const options = { folder: folder.path, durable: false, writeBehind: true, clock };
      const store = new EmbeddedDocumentStore(await openEmbeddedDatabase(options), clock);
      const model = new MemoryDocumentStore(clock);
      try {
        for (const one of steps) {
          if (one.kind === 'advance') clock.advance(one.milliseconds);
          if (one.kind === 'flush') await store.flush();
          if (one.kind === 'begin_flush') void store.flush();
          expect(await outcome(store, one)).toEqual(await outcome(model, one));
        }
      } finally {
        await store.close();
        await folder.remove();
      }
    }),
    runs(60),
  );
}, 60_000);
