/** The page in a browser, in front of the system that `npm start` runs: by `npm run test:web`. */
const unit = require('./jest.config.cjs');

const { globalSetup: _setup, globalTeardown: _teardown, ...config } = unit;

module.exports = { ...config, testMatch: ['<rootDir>/services/console/test/web/*.web.ts'], maxWorkers: 1 };
