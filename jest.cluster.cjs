/** Two of each service behind a pooler, and databases and clusters that fail over: by `npm run test:cluster`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/e2e/cluster/*.cluster.ts'],
  maxWorkers: 1,
};
