/**
 * The simulated vendors, judged by vendors' own clients; each fault and test word of theirs at every adapter; and the gateway, driven by
 * vendors' clients and by ours: by `npm run test:vendors`.
 */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/e2e/vendors/*.vendors.ts', '<rootDir>/simulator/{src,test}/**/*.int.test.ts'],
};
