import { ReadsAhead } from '../../src/documents/reads-ahead.js';

const UNITS = {};

/** A document that changes with each read. */
function counter() {
  let reads = 0;
  return () => Promise.resolve((reads += 1));
}

describe('reads that are begun ahead of a handler', () => {
  it('are handed, once, to the first that reads the same', async () => {
    const read = counter();
    await new ReadsAhead().serve(async () => {
      ReadsAhead.begin(() => ReadsAhead.read(UNITS, 'units A', read));
      expect(await ReadsAhead.read(UNITS, 'units B', read)).toBe(2);
      expect(await ReadsAhead.read(UNITS, 'units A', read)).toBe(1);
      expect(await ReadsAhead.read(UNITS, 'units A', read)).toBe(3);
    });
  });

  it('are found while they are still under way, those too that wait for others', async () => {
    const read = counter();
    await new ReadsAhead().serve(async () => {
      ReadsAhead.begin(async () => {
        await ReadsAhead.read(UNITS, 'unit', read);
        await ReadsAhead.read(UNITS, 'location', read);
      });
      expect(await ReadsAhead.read(UNITS, 'unit', read)).toBe(1);
      expect(await ReadsAhead.read(UNITS, 'location', read)).toBe(2);
      expect(await read()).toBe(3);
    });
  });

  it('are of one collection and of one request', async () => {
    const read = counter();
    await new ReadsAhead().serve(async () => {
      ReadsAhead.begin(() => ReadsAhead.read(UNITS, 'units A', read));
      expect(await ReadsAhead.read({}, 'units A', read)).toBe(2);
      expect(await new ReadsAhead().serve(() => ReadsAhead.read(UNITS, 'units A', read))).toBe(3);
    });
    ReadsAhead.begin(() => ReadsAhead.read(UNITS, 'units A', read));
    expect(await ReadsAhead.read(UNITS, 'units A', read)).toBe(4);
  });

  it('end with what the request writes to their collection', async () => {
    const read = counter();
    await new ReadsAhead().serve(async () => {
      ReadsAhead.begin(() => ReadsAhead.read(UNITS, 'units A', read));
      ReadsAhead.forget({});
      ReadsAhead.forget(UNITS);
      expect(await ReadsAhead.read(UNITS, 'units A', read)).toBe(2);
    });
  });

  it('that fail, fail whoever takes them and nobody else', async () => {
    const failing = () => Promise.reject(new Error('away'));
    await new ReadsAhead().serve(async () => {
      ReadsAhead.begin(() => ReadsAhead.read(UNITS, 'units A', failing));
      await expect(ReadsAhead.read(UNITS, 'units A', counter())).rejects.toThrow('away');
      ReadsAhead.begin(() => ReadsAhead.read(UNITS, 'units B', failing));
    });
  });
});
