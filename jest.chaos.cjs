/** The fault suite: too long for every run, run by `npm run chaos`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/e2e/chaos/**/*.chaos.ts'],
  maxWorkers: 1,
};
