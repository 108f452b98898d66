import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit, createSubmitter, type Submission, topUp } from '@mediagate/billing';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { type LogFields, type Logger, ProcessScope } from '@mediagate/host';
import { createAccount, createKey, type NewKey } from '@mediagate/identity';
import { openQueues } from '@mediagate/queue';
import { openTestDatabase, runSql, testRedisUrl, uniquePrefix, until } from '@mediagate/testkit';
import { type OpenWorker, takeTasks } from '../../src/open-worker';
import type { WorkerDeps } from '../../src/worker-deps';
import type { JournalEntry } from '../generic-upstream/script';
import { startUpstream } from '../generic-upstream/start-upstream';
import { CATALOGUE, RATES } from './models';
import { openTestWorker } from './open-worker';
import { startReconciler } from './reconciler';
import { spawnWorker, type WorkerProcess } from './spawn-worker';
import type { ChannelSpec, WorkerSpec } from './worker-spec';

export interface Payer {
  accountId: string;
  keyId: string;
}

export interface SubmitOptions {
  /** Default: a new one. */
  taskId?: TaskId;
  /** Default `never`: also names the channel that serves it unless a test brings its own. */
  model?: string;
  payer?: Payer;
  /** With a test key, which pays nothing. */
  isTest?: boolean;
  n?: number;
  deadlineMs?: number;
  /** Where the answer of a synchronous task is brought. */
  listener?: Submission['listener'];
  /** False leaves the first enqueueing to the test. */
  enqueue?: boolean;
  imageUrl?: string;
  /** The upstream fetches it itself; default false. */
  inspect?: boolean;
}

export interface LocalWorker extends OpenWorker {
  logged: { level: string; event: string; fields: LogFields }[];
  close(): Promise<void>;
}

export type LocalWorkerOptions = Partial<WorkerSpec> & { wrap?: (deps: WorkerDeps) => WorkerDeps };

/** Outlives any pause of a busy machine. */
const PATIENT_LEASE_MS = 15_000;
/** Lapses soon, and not between two statements: for tests in which a worker dies. */
export const SHORT_LEASE_MS = 3000;
const RICH = 1_000_000_000n;
const DEADLINE_MS = 600_000;

/** One database, one queue, one upstream and one payer, with everything that a test asks of them. */
export async function openWorld({ leaseMs = PATIENT_LEASE_MS }: Partial<Pick<WorkerSpec, 'leaseMs'>> = {}) {
  const { databaseUrl, database, close: drop } = await openTestDatabase();
  const [redisUrl, prefix] = [testRedisUrl(), uniquePrefix()];
  const queues = openQueues({ redisUrl, prefix });
  const home = await mkdtemp(join(tmpdir(), 'mediagate-worker-'));
  const upstream = await startUpstream();
  const submitInBooks = createSubmitter(database);
  const payer = await createPayer(database);
  const reconciler = startReconciler(database, queues);
  let workers: LocalWorker[] = [];
  const processes = new Set<Promise<WorkerProcess>>();
  let labels = 0;

  const channel = (id: string, more: Partial<ChannelSpec> = {}): ChannelSpec => ({
    id,
    baseUrl: upstream.baseUrl,
    protocol: 'never',
    ...more,
  });
  const spec: WorkerSpec = {
    databaseUrl,
    redisUrl,
    prefix,
    home,
    concurrency: 8,
    leaseMs,
    channels: (['never', 'idempotent', 'lookup', 'live'] as const).map((protocol) => channel(protocol, { protocol })),
  };

  async function submit(label: string, options: SubmitOptions = {}): Promise<TaskId> {
    const {
      model = 'never',
      n = 1,
      deadlineMs = DEADLINE_MS,
      enqueue = true,
      imageUrl,
      taskId = newTaskId(),
    } = options;
    const { inspect = false, isTest = false, listener } = options;
    const input = { label, n, inspect, ...(imageUrl === undefined ? {} : { image_url: imageUrl }) };
    const outcome = await submitInBooks({
      ...(options.payer ?? payer),
      taskId,
      family: 'tts',
      kind: 'audio',
      model,
      operation: 'generic',
      input,
      rates: RATES,
      deadlineMs,
      catalogueVersion: 1,
      warnings: [],
      requestId: 'req_test',
      reservedNano: isTest ? 0n : (CATALOGUE.find(model)?.reserve(input, RATES) ?? 0n),
      queuesForSlot: true,
      ...(listener && { listener }),
    });
    if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${outcome.kind}`);
    if (enqueue && !outcome.awaitsSlot) await queues.enqueueTask({ family: 'tts', taskId, fence: 0 });
    return taskId;
  }

  const task = (id: TaskId) => database.task.findUniqueOrThrow({ where: { id } });

  async function ended(id: TaskId) {
    const look = async () => {
      const row = await task(id);
      return row.completedAt === null ? undefined : row;
    };
    return until(look, `task ${id} has ended`);
  }

  /** Whatever the task waits for is due now. */
  async function hasten(id: TaskId): Promise<void> {
    const [row] = await runSql<{ fence: number }>(database, HASTEN, [id]);
    if (row) await queues.enqueueTask({ family: 'tts', taskId: id, fence: row.fence, distinct: 'hastened' });
  }

  return {
    database,
    databaseUrl,
    queues,
    upstream,
    spec,
    channel,
    submit,
    task,
    ended,
    hasten,
    payer,

    /** A label of this test's own, which scripts and the journal know its jobs by. */
    label: (name = 'job') => `${name}-${++labels}`,

    attempts: (taskId: TaskId) => database.taskAttempt.findMany({ where: { taskId }, orderBy: { number: 'asc' } }),

    async journalOf(label: string): Promise<JournalEntry[]> {
      return (await upstream.journal()).filter((entry) => entry.label === label);
    },

    async accepted(label: string): Promise<number> {
      const journal = await upstream.journal();
      return journal.filter((entry) => entry.label === label && entry.event === 'accepted').length;
    },

    newPayer: (key: Partial<NewKey> = {}) => createPayer(database, key),

    /** A worker inside this process; it takes jobs until the test is over. */
    async startWorker({ wrap = (deps) => deps, ...more }: LocalWorkerOptions = {}): Promise<LocalWorker> {
      const logged: LocalWorker['logged'] = [];
      const scope = new ProcessScope(createLogger(logged));
      const worker = await openTestWorker(scope, { ...spec, ...more });
      takeTasks(scope, { ...worker, deps: wrap(worker.deps) });
      const close = async () => {
        await scope.drain();
        await scope.close();
      };
      const local = { ...worker, logged, close };
      workers.push(local);
      return local;
    },

    /** A worker as a process of its own, which takes jobs when a test asks it to; it does not outlive the test file. */
    spawnWorker(more: Partial<WorkerSpec> = {}): Promise<WorkerProcess> {
      const spawned = spawnWorker({ ...spec, ...more });
      processes.add(spawned);
      return spawned;
    },

    async closeWorkers(): Promise<void> {
      const closing = workers;
      workers = [];
      await Promise.all(closing.map((worker) => worker.close()));
    },

    /**
     * Makes the waits of a task pass until it has ended: whatever is put off is due at once. The row decides when a task
     * is due, so this is all the time there is.
     */
    async hastened(id: TaskId) {
      const look = async () => {
        await hasten(id);
        const { completedAt, ...rest } = await task(id);
        return completedAt === null ? undefined : rest;
      };
      return until(look, `task ${id} has ended`);
    },

    audit: () => audit(database),

    async close() {
      await this.closeWorkers();
      for (const spawned of processes) await (await spawned).kill();
      await reconciler.stop();
      await upstream.stop();
      await queues.close();
      await drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

const HASTEN = `update tasks set next_step_at = now()
    where id = $1 and status not in ('completed', 'failed') and lease_until is null and next_step_at > now()
    returning fence`;

async function createPayer(database: Database, key: Partial<NewKey> = {}): Promise<Payer> {
  const { id: accountId } = await createAccount(database, { name: 'payer', webhookSecret: 'whsec_dGVzdA==' });
  await topUp(database, { accountId, amountNano: RICH });
  const { id: keyId } = await createKey(database, 'pepper', { accountId, ...key });
  return { accountId, keyId };
}

function createLogger(logged: LocalWorker['logged']): Logger {
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void logged.push({ level, event, fields });
  const logger: Logger = {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    debug: at('debug'),
    child: () => logger,
  };
  return logger;
}
