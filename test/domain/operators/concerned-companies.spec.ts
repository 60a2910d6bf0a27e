import { concernedCompanies } from '#domain/operators/core/concerned-companies.js';

const of = (companies: readonly string[] | null) => ({ companies, sites: null });
const atSites = (companies: readonly string[] | null, ...owners: readonly string[]) => ({
  companies,
  sites: owners.map((company_id) => ({ company_id, location_id: 'north' })),
});

it.each([
  ['a new operator: the companies granted', undefined, of(['a', 'b']), ['a', 'b']],
  ['a new operator of all companies: all', undefined, of(null), null],
  ['another company: the one before and the one after', of(['a']), of(['b']), ['a', 'b']],
  ['the same companies: each once', of(['a', 'b']), of(['b', 'a']), ['a', 'b']],
  ['no company any more: the one before', of(['a']), of([]), ['a']],
  ['all companies before: all', of(null), of(['a']), null],
  ['all companies after: all', of(['a']), of(null), null],
  ['sites: their companies alone', undefined, atSites(null, 'a', 'b'), ['a', 'b']],
  ['sites of some companies: these companies, too', undefined, atSites(['a', 'c'], 'a'), ['a', 'c']],
  ['no site: nobody', undefined, atSites(null), []],
  ['sites instead of all companies: all', of(null), atSites(null, 'a'), null],
])('%s', (_, before, after, concerned) => {
  expect(concernedCompanies(before, after)).toEqual(concerned);
});
