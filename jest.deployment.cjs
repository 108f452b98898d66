/** What deploys mediagate, run by the programs that it is made for (Helm, promtool, the image's own commands): by `npm run test:deployment`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/tools/deployment/test/*.deployment.ts'],
};
