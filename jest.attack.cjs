/** The attack suite: too long for every run, run by `npm run attack`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/e2e/attack/**/*.attack.ts'],
  maxWorkers: 1,
};
