import { grantedWithin } from '#domain/operators/core/granted-within.js';

const north = { company_id: 'a', location_id: 'north' };
const south = { company_id: 'b', location_id: 'south' };
const isSeen = (company_id: string) => company_id === 'a';

it.each([
  ['the companies that are seen', { companies: ['a', 'b'] }, { companies: ['a'] }],
  ['none where none is seen', { companies: ['b'] }, { companies: [] }],
  ['the sites of companies that are seen', { sites: [north, south] }, { sites: [north] }],
  ['both', { companies: ['b', 'a'], sites: [south] }, { companies: ['a'], sites: [] }],
  ['what names no company, as it is', { role: 'manager' }, { role: 'manager' }],
  [
    'sites of all companies as such',
    { companies: null, sites: [north] },
    { companies: null, sites: [north] },
  ],
  ['everywhere as such', { companies: null, sites: null }, { companies: null, sites: null }],
  ['no entry that names no company', { companies: [7], sites: ['a', null] }, { companies: [], sites: [] }],
])('what an operator was granted is told with %s', (_, data, told) => {
  expect(grantedWithin(data as never, isSeen)).toEqual(told);
});
