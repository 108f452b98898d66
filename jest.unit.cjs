const { availableParallelism } = require('node:os');

/** What needs no server and no program of its own (CONTRIBUTING.md, "Tests"): run by `npm run check`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testPathIgnorePatterns: ['/node_modules/', '\\.int\\.test\\.ts$', '<rootDir>/e2e/'],
  globalSetup: undefined,
  globalTeardown: undefined,
  reporters: ['failures', 'totals'].map((name) => `<rootDir>/packages/testkit/jest/${name}-reporter.cjs`),
  maxWorkers: availableParallelism(),
};
