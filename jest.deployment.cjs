/** What deploys mediagate, run by the programs that it is made for (buildah, Helm, promtool), `npm start`, and two releases at once: by `npm run test:deployment`. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/tools/{deployment,dev}/test/*.deployment.ts', '<rootDir>/e2e/upgrade/*.deployment.ts'],
};
