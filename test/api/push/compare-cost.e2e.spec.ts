import type { Collection, DocumentStore, StoredDocument } from '#eventsourcing/documents/document-store.js';
import { type Company, demand, Service, type Stores } from '../../support/service.js';

/** Cost of a request at the stores: calls, and documents that it received. */
interface Asked {
  calls: number;
  documents: number;
}

let asked: Asked;
let service: Service;
let company: Company;

beforeAll(async () => {
  asked = { calls: 0, documents: 0 };
  service = await Service.start({ wrap: counted });
  company = await service.company();
});
afterAll(() => service.close());

function counted(stores: Stores): Stores {
  const { eventStore, records, views } = stores;
  for (const store of [records, views]) countReads(store);
  for (const name of ['append', 'readStream', 'readAll'] as const) {
    const call = eventStore[name].bind(eventStore) as (...given: unknown[]) => Promise<never>;
    eventStore[name] = (...given: unknown[]) => {
      asked.calls += 1;
      return call(...given);
    };
  }
  return stores;
}

function countReads(store: DocumentStore): void {
  const collection = store.collection.bind(store);
  store.collection = async <D extends StoredDocument>(declaration: Parameters<typeof collection<D>>[0]) => {
    const opened = await collection(declaration);
    const told = <T>(answer: T, documents: number): T => {
      asked.calls += 1;
      asked.documents += documents;
      return answer;
    };
    const reads: Collection<D> = {
      get: async (id) => told(await opened.get(id), 1),
      getMany: async (ids) => told(await opened.getMany(ids), ids.length),
      find: async (index, options) => {
        const page = await opened.find(index, options);
        return told(page, page.documents.length);
      },
      findAny: async (index, values) => {
        const documents = await opened.findAny(index, values);
        return told(documents, documents.length);
      },
      page: async (after, limit) => told(await opened.page(after, limit), limit),
    };
    return reads;
  };
}

/** The least of some times: what is done behind the service's answers only adds to one of them. */
async function leastOf(request: () => Promise<unknown>): Promise<Asked> {
  const least = { calls: Infinity, documents: Infinity };
  for (let time = 0; time < 5; time += 1) {
    asked = { calls: 0, documents: 0 };
    await request();
    least.calls = Math.min(least.calls, asked.calls);
    least.documents = Math.min(least.documents, asked.documents);
  }
  return least;
}

it('of 500 units asks the stores for no more than twice what the same bulk asks for, which changes nothing', async () => {
  const units = Array.from({ length: 500 }, (_, place) => ({
    crm_unit_id: `U-${place}`,
    occupied: true,
    pms_tenant_id: `t-${place}`,
    move_in_date: '2025-12-01',
  }));
  await company.sync(units);
  const push = (method: 'patch' | 'post', path: string) => () =>
    company.push(method, path, { units }).then((answer) => demand(200, answer));
  const bulk = push('patch', '/units');
  const compare = push('post', '/units/compare');
  expect(await bulk()).toMatchObject({ unchanged: 500 });
  expect(await compare()).toMatchObject({ same: 500 });
  const written = await leastOf(bulk);
  const compared = await leastOf(compare);
  expect(written.documents).toBeGreaterThanOrEqual(500);
  expect(compared.calls).toBeLessThanOrEqual(2 * written.calls);
  expect(compared.documents).toBeLessThanOrEqual(2 * written.documents);
});
