/** What `npm test` runs: everything but the suites that need a server, which are `npm run test:servers`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testPathIgnorePatterns: ['/node_modules/', '[.]int[.]spec[.]ts$'],
};
