/** The page in a browser, in front of the system that `npm start` runs: by `npm run test:web`. */
const { globalSetup: _setup, globalTeardown: _teardown, ...config } = require('./jest.config.cjs');

module.exports = { ...config, testMatch: ['<rootDir>/services/console/test/web/*.web.ts'], maxWorkers: 1 };
