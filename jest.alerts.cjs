/** The suite of alerts: a Prometheus of its own and faults that take their time, run by `npm run test:alerts`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/e2e/alerts/**/*.alerts.ts'],
  maxWorkers: 1,
};
