// Rules on which code may import which. The layering is the table below; every other rule is short and has its reason.

/** The packages that each package may import. Services and tools may import every package but the ones for tests. */
const LAYERS = {
  contracts: [],
  concurrency: ['contracts'],
  client: [],
  languages: ['contracts'],
  catalog: ['contracts', 'languages'],
  'api-contract': ['contracts', 'languages', 'catalog'],
  settings: ['contracts', 'catalog', 'egress', 'upstreams'],
  upstreams: ['concurrency', 'contracts', 'egress', 'host'],
  egress: ['concurrency', 'contracts'],
  database: ['concurrency', 'contracts'],
  queue: ['concurrency', 'contracts'],
  host: [],
  billing: ['contracts', 'concurrency', 'catalog', 'database', 'host'],
  identity: ['contracts', 'database', 'billing'],
  callbacks: ['concurrency', 'contracts', 'database', 'egress', 'host', 'queue', 'languages'],
  tasks: ['billing', 'callbacks', 'concurrency', 'contracts', 'database', 'queue'],
  notices: ['concurrency', 'contracts', 'database', 'languages', 'callbacks'],
  media: ['concurrency', 'contracts', 'database', 'egress'],
  provenance: ['contracts', 'media'],
  channels: ['contracts', 'concurrency', 'billing', 'database', 'egress', 'host', 'identity', 'settings', 'upstreams'],
  speech: ['contracts'],
  'worker-runtime': [
    'concurrency',
    'contracts',
    'catalog',
    'settings',
    'upstreams',
    'channels',
    'egress',
    'database',
    'queue',
    'speech',
    'host',
    'billing',
    'tasks',
    'callbacks',
    'media',
    'provenance',
  ],
  testkit: ['contracts', 'catalog', 'api-contract', 'database'],
};

/** Helpers of tests: code outside tests never imports them, but for the servers that `npm start` and measurements start, and rows to measure with. */
const FOR_TESTS = '^packages/testkit/';
const LOCAL_SERVERS = '^packages/testkit/src/servers/';
const MEASURED_ROWS = '^packages/testkit/src/rows/';
const CLOCK = '^packages/testkit/src/clock/';
const PLANS = '^packages/testkit/src/plans/';

/** Libraries that one part of the system hides from the rest. */
const LIBRARIES = {
  bullmq: ['packages/queue'],
  ioredis: ['packages/queue', 'packages/testkit'],
  express: ['services/api', 'services/console', 'simulator'],
  axios: ['packages/upstreams'],
  undici: ['packages/egress', 'packages/upstreams'],
  nodemailer: ['packages/notices'],
  pg: ['packages/database', 'packages/testkit'],
  '@prisma/[^/]+': ['packages/database'],
  '@opentelemetry/[^/]+': ['packages/host'],
};

const TEST = '\\.test\\.ts$|/test/|^e2e/';
const anyOf = (names) => `(?:${names.join('|')})`;

const layering = Object.entries(LAYERS).map(([name, allowed]) => ({
  name: `layer-${name}`,
  severity: 'error',
  comment: `packages/${name} imports ${allowed.length > 0 ? allowed.join(', ') : 'no other package'}.`,
  from: { path: `^packages/${name}/`, pathNot: TEST },
  to: { path: '^packages/', pathNot: `^packages/${anyOf([name, ...allowed])}/` },
}));

const libraries = Object.entries(LIBRARIES).map(([library, owners]) => ({
  name: `only-owner-${library.replace(/\W+/g, '-')}`,
  severity: 'error',
  comment: `${library} is used by ${owners.join(', ')} alone.`,
  from: { path: '^(?:packages|services|tools|simulator)/', pathNot: [`^${anyOf(owners)}/`, TEST] },
  to: { path: `(?:^|/)node_modules/${library}/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layering,
    ...libraries,
    {
      name: 'known-package',
      severity: 'error',
      comment: 'A new package says in LAYERS what it may import.',
      from: { path: '^packages/', pathNot: `^packages/${anyOf(Object.keys(LAYERS))}/` },
      to: {},
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Two files that need each other are one thing, or three.',
      from: { pathNot: '/generated/' },
      to: { circular: true },
    },
    {
      name: 'packages-below',
      severity: 'error',
      comment: 'Packages never import services, tools or the simulator.',
      from: { path: '^packages/' },
      to: { path: '^(?:services|tools|simulator)/' },
    },
    {
      name: 'services-apart',
      severity: 'error',
      comment:
        'Services meet in PostgreSQL, Redis and HTTP, never in code. `serve` starts others in one process and knows no more of them.',
      from: { path: '^services/([^/]+)/', pathNot: '^services/serve/' },
      to: { path: '^(?:services|tools|simulator)/', pathNot: '^services/$1/' },
    },
    {
      name: 'serve-starts',
      severity: 'error',
      comment: '`serve` enters services where their own processes do.',
      from: { path: '^services/serve/' },
      to: {
        path: '^(?:services|tools|simulator)/',
        pathNot: '^services/(?:serve/|[^/]+/src/(?:service|profile)\\.ts$)',
      },
    },
    {
      name: 'tools-apart',
      severity: 'error',
      comment: 'Tools start services as processes and share no code with them, nor with each other.',
      from: { path: '^tools/([^/]+)/', pathNot: '^tools/cli/' },
      to: { path: '^(?:services|tools|simulator)/', pathNot: '^tools/$1/' },
    },
    {
      name: 'command-line-asks-routes',
      severity: 'error',
      comment:
        'The command line runs the routes of operators in its own process, and shares nothing else with services.',
      from: { path: '^tools/cli/' },
      to: {
        path: '^(?:services|tools|simulator)/',
        pathNot: ['^tools/cli/', '^services/api/src/operators-router\\.ts$'],
      },
    },
    {
      name: 'simulator-independent',
      severity: 'error',
      comment: 'The simulator stands for the vendors: code shared with the gateway would share its mistakes.',
      from: { path: '^simulator/', pathNot: TEST },
      to: { path: '^(?:packages|services|tools)/' },
    },
    {
      name: 'testkit-in-tests',
      severity: 'error',
      comment: 'What helps tests stays out of what runs.',
      from: { pathNot: [TEST, FOR_TESTS] },
      to: { path: FOR_TESTS, pathNot: [LOCAL_SERVERS, MEASURED_ROWS] },
    },
    {
      name: 'unit-tests-alone',
      severity: 'error',
      comment: 'What starts a server or a program is named x.int.test.ts: `npm run check` leaves it out.',
      from: { path: '\\.test\\.ts$', pathNot: ['\\.int\\.test\\.ts$', '^e2e/'] },
      to: {
        path: ['^packages/testkit/', '^(?:node:)?child_process$'],
        pathNot: ['^packages/testkit/src/answers/', CLOCK, LOCAL_SERVERS],
      },
    },
    {
      name: 'local-servers-in-development',
      severity: 'error',
      comment: 'In production PostgreSQL and Redis are somebody else’s processes.',
      from: { pathNot: [TEST, FOR_TESTS, '^(?:tools/dev|bench)/'] },
      to: { path: [LOCAL_SERVERS, MEASURED_ROWS] },
    },
    {
      name: 'enter-by-index',
      severity: 'error',
      comment: 'A package is entered by its index.ts only.',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/[^/]+/',
        pathNot: [
          '^packages/$1/',
          '^packages/[^/]+/src/index\\.ts$',
          `${LOCAL_SERVERS}index\\.ts$`,
          `${MEASURED_ROWS}index\\.ts$`,
          `${PLANS}index\\.ts$`,
          `${CLOCK}index\\.ts$`,
        ],
      },
    },
    {
      name: 'enter-by-index-from-above',
      severity: 'error',
      comment:
        'A package is entered by its index.ts only, but for settings that are needed before anything is loaded, and for the suite of adapters, which one command alone runs.',
      from: { path: '^(?:services|tools|simulator|e2e)/' },
      to: {
        path: '^packages/',
        pathNot: [
          '^packages/[^/]+/src/index\\.ts$',
          '^packages/channels/src/process-settings\\.ts$',
          '^packages/host/src/outgoing\\.ts$',
          '^packages/upstreams/src/conformance/package-trials\\.ts$',
          `${LOCAL_SERVERS}index\\.ts$`,
          `${MEASURED_ROWS}index\\.ts$`,
          `${PLANS}index\\.ts$`,
        ],
      },
    },
    {
      name: 'use-cases-without-http',
      severity: 'error',
      comment: 'What the API does knows nothing of the paths that it is asked under, nor of requests and responses.',
      from: { path: '^services/api/src/use-cases/' },
      to: { path: ['^services/api/src/(?:http|routes)/', '(?:^|/)node_modules/(?:@types/)?express/'] },
    },
    {
      name: 'callers-and-operators-apart',
      severity: 'error',
      comment:
        'Routes of callers and of operators share the contract and what reads and answers requests, and know nothing of each other.',
      from: { path: '^services/api/src/routes/([^/]+)/' },
      to: { path: '^services/api/src/routes/', pathNot: '^services/api/src/routes/$1/' },
    },
    {
      name: 'page-alone',
      severity: 'error',
      comment: 'What runs in browsers knows of the rest the types of the API alone.',
      from: { path: '^services/console/web/' },
      to: {
        path: '^(?:packages|services|tools|simulator)/',
        pathNot: '^(?:services/console/web|packages/client/src/generated)/',
      },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that leads nowhere.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Callers' programs find the client where it is installed, in a project of theirs.
    // Its parser cannot read the page's components; those import each other and libraries alone.
    exclude: { path: '/dist/|^e2e/(?:clients|programs/node)/|\\.tsx$' },
    tsPreCompilationDeps: true,
    // TypeScript 7 has no compiler to call from JavaScript; swc finds the same imports.
    parser: 'swc',
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'require', 'default'],
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'],
    },
  },
};
