const { dependencies, devDependencies } = require('./package.json');

/** Packages that tests or the service import, and not those that jest itself is made of. */
const packages = [...Object.keys({ ...dependencies, ...devDependencies }), '@grpc/grpc-js'].filter(
  (name) => !/^(jest|@swc|@stryker-mutator|@types)\b/.test(name),
);
const nativeModule = '<rootDir>/test/support/jest/native-module.cjs';
const root = `${__dirname}/`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/jest/one-realm-environment.cjs',
  testRunner: '<rootDir>/test/support/jest/runner.cjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // Above what `waitUntil` waits, so that it is that which names what hung.
  testTimeout: 300_000,
  maxWorkers: 2,
  // Of what jest waits by itself, a busy machine needs more to take down a worker that has nothing left to do.
  workerGracefulExitTimeout: 60_000,
  moduleNameMapper: {
    // TypeScript names the file that will be there after compilation.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // What the guides' examples import is the package; here it is what it is made of.
    '^storage-access-client$': '<rootDir>/src/client/index',
  },
  transformIgnorePatterns: [],
  // The first that fits is taken: Node's own loader has packages, the service and what tests share, and jest's registry the tests.
  transform: {
    [`/node_modules/(${packages.join('|')})/.+\\.(c|m)?js$`]: nativeModule,
    [`^${root}(src|test/support)/.+(?<!\\.spec)\\.tsx?$`]: nativeModule,
    '\\.ts$': ['@swc/jest', { ...require('./test/support/swc-options.cjs')('.ts'), sourceMaps: 'inline' }],
  },
};
