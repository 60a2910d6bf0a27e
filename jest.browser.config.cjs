/** What `npm run test:browser` runs: the dashboard in a real Chromium. */
module.exports = { ...require('./jest.config.cjs'), testMatch: ['**/*.browser.ts'] };
