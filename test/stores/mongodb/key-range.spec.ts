import { branchesOf, sortOf } from '#stores/mongodb/key-range.js';

const INDEX = {
  name: 'by_term',
  fields: ['company_id', 'terms', 'tenant_id'],
  unique: false,
  sparse: false,
  list: 'terms',
};

// The stand-in of MongoDB compares one element with both bounds in any case; a real server does so only in $elemMatch.
it('bounds on a list are asked of one element, and give no order', () => {
  const options = { equals: ['x'], from: 'b', to: 'c', limit: 1 };
  const within = { company_id: 'x', terms: { $elemMatch: { $gte: 'b', $lte: 'c' } } };
  expect(branchesOf(INDEX, options, undefined)).toEqual([within]);
  const next = branchesOf(INDEX, options, { values: ['t-1'], id: 'id-1' });
  expect(next.length).toBeGreaterThan(0);
  for (const branch of next) expect(branch).toMatchObject(within);
  expect(sortOf(INDEX, options)).toEqual({ tenant_id: 1, _id: 1 });
});
