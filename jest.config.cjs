/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // Above what `waitUntil` waits, so that it is that which names what hung.
  testTimeout: 300_000,
  maxWorkers: 2,
  // TypeScript names the file that will be there after compilation.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Nest 12 is published as ES modules; jest runs CommonJS, so its dependencies are transformed too.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs/|temporal-polyfill|temporal-utils|file-type|strtok3|token-types|uint8array-extras|@borewit/|load-esm|@tokenizer/|es-toolkit|js-yaml))',
  ],
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
};
