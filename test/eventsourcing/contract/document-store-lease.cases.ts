import { resultsAtOnce } from '../../support/barrier.js';
import { waitUntil } from '../../support/wait-until.js';
import { uniqueName } from './contract-case.js';
import { numbered, type DocumentStoreCase } from './document-store.samples.js';

const minute = 60_000;

export const leaseCases: DocumentStoreCase[] = [
  {
    name: 'a free lease is taken, a held one is not',
    async run({ store }) {
      const name = uniqueName('lease');
      expect(await store.takeLease(name, 'one', minute)).toEqual({
        name,
        owner: 'one',
        fence: expect.any(Number),
      });
      expect(await store.takeLease(name, 'two', minute)).toBeUndefined();
      const other = await store.takeLease(uniqueName('lease'), 'two', minute);
      expect(other?.owner).toBe('two');
    },
  },
  {
    name: 'of 20 that take a lease at once one gets it',
    async run({ store }) {
      const name = uniqueName('lease');
      const leases = await resultsAtOnce(
        numbered(20, (number) => () => store.takeLease(name, `o${number}`, minute)),
      );
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    },
  },
  {
    name: 'a lease that was released is free, and its fence grows with each change of hands',
    async run({ store }) {
      const name = uniqueName('lease');
      const fences: number[] = [];
      for (const owner of ['one', 'two', 'one', 'three']) {
        const lease = await store.takeLease(name, owner, minute);
        fences.push(lease!.fence);
        await store.releaseLease(lease!);
      }
      expect(fences.every((fence, index) => index === 0 || fence > fences[index - 1]!)).toBe(true);
    },
  },
  {
    name: 'its holder may renew a lease; one that was released cannot be renewed',
    async run({ store }) {
      const name = uniqueName('lease');
      const lease = await store.takeLease(name, 'one', minute);
      expect(await store.renewLease(lease!)).toBe(true);
      await store.releaseLease(lease!);
      expect(await store.renewLease(lease!)).toBe(false);
    },
  },
  {
    name: 'a lease older than the taker allows changes hands, by the store’s clock',
    async run({ store }) {
      const name = uniqueName('lease');
      const lost = await store.takeLease(name, 'one', minute);
      const taken = await waitUntil(
        () => store.takeLease(name, 'two', 0),
        (lease) => lease !== undefined,
      );
      expect(taken!.fence).toBeGreaterThan(lost!.fence);
      expect(await store.renewLease(lost!)).toBe(false);
      expect(await store.renewLease(taken!)).toBe(true);
    },
  },
  {
    name: 'releasing a lease that was lost does not take it from its new holder',
    async run({ store }) {
      const name = uniqueName('lease');
      const lost = await store.takeLease(name, 'one', minute);
      await waitUntil(
        () => store.takeLease(name, 'two', 0),
        (lease) => lease !== undefined,
      );
      await store.releaseLease(lost!);
      expect(await store.takeLease(name, 'three', minute)).toBeUndefined();
    },
  },
  {
    name: 'the holder of a lease may take it again, and its fence does not fall',
    async run({ store }) {
      const name = uniqueName('lease');
      const first = await store.takeLease(name, 'one', minute);
      const second = await store.takeLease(name, 'one', minute);
      expect(second!.fence).toBeGreaterThanOrEqual(first!.fence);
      expect(await store.takeLease(name, 'two', minute)).toBeUndefined();
    },
  },
  {
    name: 'renewing keeps a lease as time passes, without it the lease is free',
    needs: 'clock',
    async run({ store, advance }) {
      const name = uniqueName('lease');
      const lease = await store.takeLease(name, 'one', minute);
      advance!(minute - 1);
      expect(await store.takeLease(name, 'two', minute)).toBeUndefined();
      expect(await store.renewLease(lease!)).toBe(true);
      advance!(minute - 1);
      expect(await store.takeLease(name, 'two', minute)).toBeUndefined();
      advance!(1);
      const taken = await store.takeLease(name, 'two', minute);
      expect(taken!.fence).toBeGreaterThan(lease!.fence);
      expect(await store.renewLease(lease!)).toBe(false);
    },
  },
];
