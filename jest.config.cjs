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

/** For what hangs, hooks included, and no judgement: a busy machine may take ten times as long as an idle one. */
const TEST_TIMEOUT_MS = 180_000;
/** The machine's cores also run what is under test; four files at least, because many of them wait more than they work. */
const MAX_WORKERS = Math.max(4, Math.floor(availableParallelism() / 2));

const reporters = (...names) => names.map((name) => `<rootDir>/packages/testkit/jest/${name}-reporter.cjs`);

/** Options of every project. Sources are tested as they are: nothing has to be built first. */
const SHARED = {
  testEnvironment: '<rootDir>/packages/testkit/jest/environment.cjs',
  runtime: '<rootDir>/packages/testkit/jest/runtime.cjs',
  testTimeout: TEST_TIMEOUT_MS,
  transform: {
    '\\.[jt]s$': ['@swc/jest', { ...swc, swcrc: false, module: { ...swc.module, ignoreDynamic: false } }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(\\.pnpm/)?(${ES_MODULES}))`],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/\\.mediagate/'],
  globalSetup: '<rootDir>/packages/testkit/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testkit/src/global-teardown.ts',
};

const TEST_FILES = [
  '<rootDir>/{packages,services,tools}/*/{src,test}/**/*.test.ts',
  // The other tests of the simulator are those of the suite of vendors.
  '<rootDir>/simulator/{src,test}/**/!(*.int).test.ts',
  '<rootDir>/{e2e,bench/test}/**/*.test.ts',
];

/**
 * The differences between projects: `project` holds options of the project, the rest are Jest's own. `tests` is what `npm test` runs;
 * CONTRIBUTING.md says what each of the others tries and how long it takes.
 */
const PROJECTS = {
  tests: { project: { testMatch: TEST_FILES } },
  /** Tests that need no server and no program of their own. */
  unit: {
    project: {
      testMatch: TEST_FILES,
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.test\\.ts$', '<rootDir>/e2e/'],
      globalSetup: undefined,
      globalTeardown: undefined,
    },
    reporters: reporters('failures', 'totals'),
    // One more than cores: some wait for a limit of time.
    maxWorkers: availableParallelism() + 1,
  },
  alerts: { project: { testMatch: ['<rootDir>/e2e/alerts/**/*.alerts.ts'] }, maxWorkers: 1 },
  attack: { project: { testMatch: ['<rootDir>/e2e/attack/**/*.attack.ts'] }, maxWorkers: 1 },
  cluster: { project: { testMatch: ['<rootDir>/e2e/cluster/*.cluster.ts'] }, maxWorkers: 1 },
  deployment: {
    project: {
      testMatch: ['<rootDir>/tools/{deployment,dev}/test/*.deployment.ts', '<rootDir>/e2e/upgrade/*.deployment.ts'],
    },
  },
  losses: { project: { testMatch: ['<rootDir>/e2e/losses/*.losses.ts'] }, maxWorkers: 2 },
  nights: { project: { testMatch: ['<rootDir>/e2e/nights/*.nights.ts'] }, maxWorkers: 1 },
  traces: { project: { testMatch: ['<rootDir>/e2e/traces/**/*.traces.ts'] }, maxWorkers: 1 },
  vendors: {
    project: {
      testMatch: ['<rootDir>/e2e/vendors/*.vendors.ts', '<rootDir>/simulator/{src,test}/**/*.int.test.ts'],
    },
  },
  web: {
    project: {
      testMatch: ['<rootDir>/services/console/test/web/*.web.ts'],
      globalSetup: '<rootDir>/services/console/test/web/start-system.ts',
      globalTeardown: '<rootDir>/services/console/test/web/stop-system.ts',
    },
    // Also where there is one core, it runs in this process, which knows the system.
    maxWorkers: 1,
  },
};

/**
 * `--selectProjects <name>` chooses; without it Jest runs `tests`. Jest takes workers and reporters from the configuration alone, not from its
 * projects, so only the chosen one is handed to it.
 */
function chosenProject() {
  const at = process.argv.indexOf('--selectProjects');
  const name = at === -1 ? 'tests' : (process.argv[at + 1] ?? '');
  if (Object.hasOwn(PROJECTS, name)) return name;
  throw new Error(`jest.config.cjs has no project ${name}; it has ${Object.keys(PROJECTS).join(', ')}`);
}

const name = chosenProject();
const { project, ...options } = PROJECTS[name];

/** @type {import('jest').Config} */
module.exports = {
  testSequencer: '<rootDir>/packages/testkit/jest/sequencer.cjs',
  reporters: ['default', ...reporters('totals')],
  maxWorkers: MAX_WORKERS,
  testTimeout: TEST_TIMEOUT_MS,
  ...options,
  projects: [{ displayName: name, ...SHARED, ...project }],
};
