const { dependencies, devDependencies } = require('./package.json');

/** Packages that tests or the service import, and not those that jest itself is made of. */
const packages = [...Object.keys({ ...dependencies, ...devDependencies }), '@grpc/grpc-js'].filter(
  (name) => !/^(jest|@swc|@stryker-mutator|@types)\b/.test(name),
);
const nativeModule = '<rootDir>/test/support/jest/native-module.cjs';
const root = `${__dirname}/`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What every project shares. */
const shared = {
  testEnvironment: '<rootDir>/test/support/jest/one-realm-environment.cjs',
  globalSetup: '<rootDir>/test/support/jest/make-client-types.cjs',
  roots: ['<rootDir>/test'],
  moduleNameMapper: {
    // TypeScript names the file that will be there after compilation.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^#(.+)\\.js$': '<rootDir>/src/$1',
    // The examples of the guides import the package. Here it is its source.
    '^storage-access-client$': '<rootDir>/packages/client/src/index',
  },
  transformIgnorePatterns: [],
  // The first pattern that fits is taken. Node loads packages, the service and shared helpers; jest loads the tests.
  transform: {
    [`/node_modules/(${packages.join('|')})/.+\\.(c|m)?js$`]: nativeModule,
    [`^${root}(src|packages|tools|test/support)/.+(?<!\\.spec)\\.tsx?$`]: nativeModule,
    // The modules of the example page, and the tests.
    [`^${root}examples/.+\\.js$|\\.ts$`]: [
      '@swc/jest',
      { ...require('./scripts/swc-options.cjs')('.ts'), sourceMaps: 'inline' },
    ],
  },
};

/** @type {import('jest').Config} */
module.exports = {
  // Longer than `waitUntil` waits: its message says what hung.
  testTimeout: 300_000,
  maxWorkers: 2,
  // A busy machine needs more than jest's 500 ms to end a worker.
  workerGracefulExitTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'here',
      testMatch: ['**/*.spec.ts', '!**/*.{int,campaign}.spec.ts'],
    },
    { ...shared, displayName: 'servers', testMatch: ['**/*.int.spec.ts'] },
    { ...shared, displayName: 'campaigns', testMatch: ['**/*.campaign.spec.ts'] },
    { ...shared, displayName: 'browser', testMatch: ['**/*.browser.ts'] },
  ],
};
