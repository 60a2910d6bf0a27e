import type { DocumentStore, GetOptions } from '#eventsourcing/documents/document-store.js';
import { type LocationDocument, LocationDirectory } from '#domain/locations/index.js';
import { locationDocument } from './location-document.js';

let stored: LocationDocument;
/** The document that the last read was told as known. */
let toldKnown: LocationDocument | undefined;
let directory: LocationDirectory;

beforeEach(() => {
  stored = locationDocument('main', 'company');
  toldKnown = undefined;
  const read = (options: Pick<GetOptions<LocationDocument>, 'known'> | undefined) => {
    toldKnown = options?.known?.('main');
    return Promise.resolve([{ ...stored }]);
  };
  const collection = {
    getMany: (_ids: unknown, options?: GetOptions<LocationDocument>) => read(options),
    findAny: (_index: unknown, _values: unknown, options?: GetOptions<LocationDocument>) => read(options),
    find: async () => ({ documents: await read(undefined), next_cursor: null }),
  };
  directory = new LocationDirectory({
    collection: () => Promise.resolve(collection),
  } as unknown as DocumentStore);
});

describe('the directory of locations', () => {
  it('tells a read by id the document of the last list of a company as known', async () => {
    const [listed] = await directory.locationsOfCompany('company');
    await directory.location('main');
    expect(toldKnown).toBe(listed);
  });

  it('tells a list of a company the document that was read by id as known', async () => {
    const read = await directory.location('main');
    await directory.locationsOfCompany('company');
    expect(toldKnown).toBe(read);
  });

  it('tells a find by a zone or a gate the document that was read by id as known', async () => {
    const read = await directory.location('main');
    await directory.locationOfPart('gate');
    expect(toldKnown).toBe(read);
  });

  it('keeps the known document while all locations are listed, which the store does not remember', async () => {
    const read = await directory.location('main');
    await directory.locationsOfCompanies('all');
    await directory.location('main');
    expect(toldKnown).toBe(read);
  });

  it('keeps a document that was stored anew at the same revision', async () => {
    await directory.location('main');
    stored = { ...stored, name: 'Main Street' };
    const [anew] = await directory.locationsOfCompany('company');
    await directory.location('main');
    expect(toldKnown).toBe(anew);
  });
});
