const { readFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const { continueOnNodeProgram } = require('./scripts/node-program.cjs');

// However Jest was called, tests run on the Node that services run on.
continueOnNodeProgram();

const swc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));
delete swc.$schema;

// Prisma's schema engine, p-retry and openid-client are ES modules. Jest runs CommonJS, so here, and only here, they are transformed and
// `import()` of them becomes `require()`.
const ES_MODULES =
  '@prisma\\+schema-engine-wasm|@prisma/schema-engine-wasm|p-retry|is-network-error|openid-client|oauth4webapi|jose';

/** @type {import('jest').Config} */
module.exports = {
  testMatch: [
    '<rootDir>/{packages,services,tools}/*/{src,test}/**/*.test.ts',
    // Its other tests are those of the suite of vendors.
    '<rootDir>/simulator/{src,test}/**/!(*.int).test.ts',
    '<rootDir>/{e2e,bench/test}/**/*.test.ts',
  ],
  testEnvironment: '<rootDir>/packages/testkit/jest/environment.cjs',
  runtime: '<rootDir>/packages/testkit/jest/runtime.cjs',
  // For what hangs, hooks included, and no judgement: a busy machine may take ten times as long as an idle one.
  testTimeout: 180_000,
  // Sources are tested as they are: nothing has to be built first.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'require', 'default'] },
  transform: {
    '\\.[jt]s$': ['@swc/jest', { ...swc, swcrc: false, module: { ...swc.module, ignoreDynamic: false } }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(\\.pnpm/)?(${ES_MODULES}))`],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/\\.mediagate/'],
  globalSetup: '<rootDir>/packages/testkit/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testkit/src/global-teardown.ts',
  testSequencer: '<rootDir>/packages/testkit/jest/sequencer.cjs',
  reporters: ['default', '<rootDir>/packages/testkit/jest/totals-reporter.cjs'],
  // The machine's cores also run what is under test; four files at least, because many of them wait more than they work.
  maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
};
