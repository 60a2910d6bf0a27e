import { type Choice, grantedAtFirst } from '#dashboard/operators/operator-scope.js';

it.each([
  ['sites where there is one company', [['c-1', 'Park Storage']], []],
  [
    'companies where there are several',
    [
      ['c-1', 'Park Storage'],
      ['c-2', 'Lake Storage'],
    ],
    null,
  ],
  ['companies where there is none', [], null],
])('a new operator is offered %s first', (_, companies, locations) => {
  const offered = { companies: companies as unknown as Choice[], sites: [], mayGrantAll: true };
  expect(grantedAtFirst(offered)).toEqual({ companies: [], locations });
});
