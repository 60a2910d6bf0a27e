const base = require('./jest.config.cjs');

/**
 * What `npm run test:mutants` runs: the tests of the pure cores. The service is in jest's registry here, which loads it
 * anew for each mutant: what a module computes once, as it is loaded, is mutated too.
 */
module.exports = {
  ...base,
  // Stryker asks jest which tests bear on a file, which it answers by the imports of what lies in these folders alone.
  roots: ['<rootDir>/test', '<rootDir>/src'],
  // As Stryker puts an environment of its own around it, which does not know what jest's names stand for.
  testEnvironment: require.resolve('./test/support/jest/one-realm-environment.cjs'),
  testMatch: [
    '**/test/access/core/*.spec.ts',
    '**/test/access/calendar.spec.ts',
    '**/test/companies/company.decide.spec.ts',
    '**/test/history/{timeline,as-of.property,newest-reports.property}.spec.ts',
    '**/test/locations/{id-map.property,location.decide.property,location.decide}.spec.ts',
    '**/test/locks/{key*,activity.decide}.spec.ts',
    '**/test/operator/operator.decide.spec.ts',
    '**/test/log/storage-format.spec.ts',
    '**/test/tenants/{tenant.decide,search-keys.property}.spec.ts',
    '**/test/units/*.spec.ts',
  ],
  transform: Object.fromEntries(
    Object.entries(base.transform).filter(([pattern]) => !pattern.includes('src')),
  ),
};
