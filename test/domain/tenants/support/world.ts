import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../../../support/embedded-world.js';

export const COMPANY = '01COMPANY00000000000000000';
export const OTHER_COMPANY = '01OTHERCOMPANY000000000000';
export const LOCATION = '01LOCATION0000000000000000';
export const OTHER_LOCATION = '01LOCATION0000000000000002';

export function keyOf(pms_tenant_id: string, location_id = LOCATION) {
  return { company_id: COMPANY, location_id, pms_tenant_id };
}

export type World = EmbeddedWorld;
export const openWorld = openEmbeddedWorld;

/** A view of a store that counts its calls. */
export function counting(store: DocumentStore): {
  store: DocumentStore;
  reads: () => number;
  writes: () => number;
} {
  let reads = 0;
  let writes = 0;
  const counted: DocumentStore = {
    async collection(declaration) {
      const collection = await store.collection(declaration);
      const read = <A extends unknown[], R>(method: (...given: A) => R) => {
        return (...given: A) => {
          reads += 1;
          return method.apply(collection, given);
        };
      };
      return {
        get: read((id) => collection.get(id)),
        getMany: read((ids) => collection.getMany(ids)),
        find: read((index, options) => collection.find(index, options)),
        findAny: read((index, values) => collection.findAny(index, values)),
        page: read((after, limit) => collection.page(after, limit)),
      };
    },
    write(given) {
      writes += 1;
      return store.write(given);
    },
    takeLease: (...given) => store.takeLease(...given),
    renewLease: (lease) => store.renewLease(lease),
    releaseLease: (lease) => store.releaseLease(lease),
    count: (...given) => store.count(...given),
    ping: () => store.ping(),
    close: () => store.close(),
  };
  return { store: counted, reads: () => reads, writes: () => writes };
}
