/** The page in a browser, in front of a system of its own: by `npm run test:web`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/services/console/test/web/*.web.ts'],
  globalSetup: '<rootDir>/services/console/test/web/start-system.ts',
  globalTeardown: '<rootDir>/services/console/test/web/stop-system.ts',
  // Also where there is one core, it runs in this process, which knows the system.
  maxWorkers: 1,
};
