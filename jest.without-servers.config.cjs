/** What `npm test` runs: everything but the suites that need a server (`npm run test:servers`) and those that are campaigns. */
module.exports = {
  ...require('./jest.config.cjs'),
  testPathIgnorePatterns: ['/node_modules/', '[.](int|campaign)[.]spec[.]ts$'],
};
