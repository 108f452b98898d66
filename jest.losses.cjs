/** What is lost on the way (workers, API processes, callers, answers) in systems of whole processes: by `npm run test:losses`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/e2e/losses/*.losses.ts'],
  maxWorkers: 2,
};
