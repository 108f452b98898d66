/** The suite of traces: a collector of its own, made of its modules by Go, run by `npm run test:traces`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/e2e/traces/**/*.traces.ts'],
  maxWorkers: 1,
};
