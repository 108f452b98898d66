/** Where a word is looked for: `identifiers` are those of the product and the simulator, not of tests. */
type Part = 'identifiers' | 'identifiers of tests' | 'comments' | 'docs' | 'file names';

export interface ForbiddenWord {
  /** As parts of identifiers (`wakeTask`, `WAKE_AFTER`) and file names; in comments and documents as words. */
  words: readonly string[];
  say: string;
  parts: readonly Part[];
  /** Files that may still have it, how often, and why. */
  exceptions: Readonly<Record<string, Exception>>;
}

interface Exception {
  times: number;
  why: string;
}

const EVERYWHERE: readonly Part[] = ['identifiers', 'identifiers of tests', 'comments', 'docs', 'file names'];
const COLUMN = 'the name of a column';
const SAVED = 'a field of operations that are saved with running tasks';
const OPTION = 'an option in the files of operators';
const VENDOR = 'a field of a vendor';
const KUBERNETES = 'a kind of Kubernetes';

/** The words of docs/ARCHITECTURE.md have one meaning each; these are what they replace. */
export const FORBIDDEN_WORDS: readonly ForbiddenWord[] = [
  {
    words: ['wake', 'wakes', 'woke', 'woken', 'waking', 'wakeup'],
    say: 'enqueue (a task), resume (a process or a promise)',
    parts: EVERYWHERE,
    exceptions: {
      'packages/tasks/test/due-tasks.int.test.ts': { times: 1, why: COLUMN },
      'packages/tasks/test/waiting-tasks.int.test.ts': { times: 1, why: COLUMN },
      'services/reconciler/test/dispatch-tasks.int.test.ts': { times: 1, why: COLUMN },
      'services/reconciler/test/enqueue-due-tasks.int.test.ts': { times: 1, why: COLUMN },
    },
  },
  {
    words: ['park', 'parks', 'parked', 'parking'],
    say: 'queued for a slot',
    parts: EVERYWHERE,
    exceptions: {
      'packages/contracts/src/outcomes.ts': { times: 1, why: COLUMN },
      'packages/worker-runtime/test/limits.int.test.ts': { times: 4, why: COLUMN },
    },
  },
  {
    words: ['in hand', 'held back', 'holds back', 'hold back'],
    say: 'in flight, awaits a slot',
    parts: EVERYWHERE,
    exceptions: {},
  },
  {
    words: ['sink', 'sinks'],
    say: 'writable, receiver',
    parts: EVERYWHERE,
    exceptions: {
      'packages/media/src/inspect/take-apart.ts': {
        times: 2,
        why: 'a class of the library that reads audio and video',
      },
    },
  },
  {
    words: ['budget', 'budgets'],
    say: 'slots, or what it limits',
    parts: EVERYWHERE,
    exceptions: {
      'services/api/src/routes/public/openai/text-options.ts': { times: 1, why: VENDOR },
      'services/api/src/routes/public/openai/chat/create-chat.int.test.ts': { times: 13, why: VENDOR },
      'services/api/src/routes/public/openai/chat/thinking-config.ts': { times: 1, why: VENDOR },
      'services/api/src/routes/public/openai/responses/create-response.int.test.ts': { times: 1, why: VENDOR },
      'deploy/helm/mediagate/templates/pod-disruption-budget.yaml': { times: 1, why: KUBERNETES },
      'packages/catalog/src/text/text-input.ts': { times: 1, why: VENDOR },
      'packages/catalog/test/text.test.ts': { times: 1, why: VENDOR },
      'packages/channels/src/text-translator.ts': { times: 1, why: VENDOR },
      'packages/upstreams/src/openai-chat/request.ts': { times: 5, why: VENDOR },
      'packages/upstreams/src/openai-chat/adapter.test.ts': { times: 3, why: VENDOR },
      'packages/upstreams/test/vendor-clients.test.ts': { times: 1, why: VENDOR },
      'simulator/src/gemini/request.ts': { times: 1, why: VENDOR },
      'packages/upstreams/src/gemini/third-generation.ts': { times: 3, why: VENDOR },
      'packages/upstreams/test/gemini-text.test.ts': { times: 4, why: VENDOR },
      'simulator/src/gemini/text/thinking.ts': { times: 2, why: VENDOR },
      'simulator/test/gemini-text.int.test.ts': { times: 5, why: VENDOR },
      'tools/deployment/test/chart.deployment.ts': { times: 3, why: KUBERNETES },
      'tools/deployment/test/manifest-schemas.ts': { times: 2, why: KUBERNETES },
    },
  },
  { words: ['lane', 'lanes'], say: 'slots', parts: EVERYWHERE, exceptions: {} },
  {
    words: ['room', 'rooms'],
    say: 'slots',
    parts: ['identifiers', 'identifiers of tests', 'file names'],
    exceptions: {},
  },
  {
    words: ['film', 'films', 'filmed'],
    say: 'video',
    parts: EVERYWHERE,
    exceptions: {
      'packages/upstreams/src/midjourney-proxy/adapter.ts': { times: 2, why: SAVED },
      'packages/upstreams/src/midjourney-proxy/result.ts': { times: 3, why: SAVED },
    },
  },
  {
    words: ['picture', 'pictures', 'pictured'],
    say: 'image',
    parts: EVERYWHERE,
    exceptions: {
      'packages/upstreams/src/midjourney-proxy/adapter.ts': { times: 1, why: OPTION },
      'services/api/src/carriage-judge.test.ts': { times: 1, why: OPTION },
    },
  },
  {
    words: ['pulse', 'pulses', 'ear', 'ears'],
    say: 'heartbeat, subscriber',
    parts: EVERYWHERE,
    exceptions: {},
  },
  {
    words: ['duty', 'duties'],
    say: 'job',
    parts: EVERYWHERE,
    exceptions: {},
  },
  { words: ['bite', 'bites'], say: 'batch', parts: EVERYWHERE, exceptions: {} },
  {
    words: ['song', 'songs'],
    say: 'track; music, where it is the task',
    parts: EVERYWHERE,
    exceptions: { 'docs/judges.md': { times: 1, why: 'the name of a public repository' } },
  },
  { words: ['told'], say: 'reported, acknowledged', parts: ['identifiers', 'comments', 'file names'], exceptions: {} },
  { words: ['said'], say: 'reported, acknowledged', parts: ['identifiers', 'file names'], exceptions: {} },
  { words: ['live'], say: 'synchronous', parts: ['identifiers', 'identifiers of tests', 'file names'], exceptions: {} },
];
