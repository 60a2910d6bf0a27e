import { pageOf } from '../../src/dashboard/parts/page-of.js';

const all = ['a', 'b', 'c', 'd', 'e'];
const page = (cursor?: string, limit = 2) => pageOf(all, { cursor, limit, key: (one) => one });

describe('a page of a list', () => {
  it('leads to the next one, and the last to none', () => {
    expect(page()).toEqual({ shown: ['a', 'b'], next_cursor: 'b' });
    expect(page('b')).toEqual({ shown: ['c', 'd'], next_cursor: 'd' });
    expect(page('d')).toEqual({ shown: ['e'], next_cursor: null });
    expect(page('a', 4)).toEqual({ shown: ['b', 'c', 'd', 'e'], next_cursor: null });
  });

  it('begins anew where what was shown last is gone', () => {
    expect(page('gone').shown).toEqual(['a', 'b']);
  });

  it('of nothing is empty', () => {
    expect(pageOf([], { limit: 2, key: String })).toEqual({ shown: [], next_cursor: null });
  });
});
