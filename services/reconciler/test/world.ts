import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createFinisher, createSubmitter, type Submission, taskError, topUp } from '@mediagate/billing';
import { type Family, newTaskId, type TaskId, timeOfId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { createLogger, type Logger, ProcessScope } from '@mediagate/host';
import { createAccount, createKey } from '@mediagate/identity';
import { type MediaStore, openMediaStore } from '@mediagate/media';
import { openQueues, openQueueViews, type Queues, type QueuesOptions } from '@mediagate/queue';
import { openTestDatabase, runSql, testRedisUrl, uniquePrefix, withoutGuards } from '@mediagate/testkit';
import { Registry } from 'prom-client';
import { createJobs, type JobDeps, type Jobs } from '../src/create-jobs';

const RESERVED_NANO = 5_000n;
export const WEBHOOK = 'https://hooks.example.org/base';

/** A deployment: one database with a payer in it, one Redis to all appearances empty. */
export interface World {
  databaseUrl: string;
  database: Database;
  /** The connections of a second instance. */
  other: Database;
  queues: Queues;
  redisPrefix: string;
  media: MediaStore;
  /** The folder of stored media. */
  home: string;
  /** The reconciler of this deployment, with what the test replaces of it. */
  reconciler(replaced?: Partial<JobDeps>): Jobs;
  /** The reconciler of a second instance. */
  otherReconciler(): Jobs;
  accountId: string;
  /** Takes a job as the API does. Columns of `row` are set afterwards. */
  submit(more?: Partial<Submission>, row?: Record<string, unknown>): Promise<TaskId>;
  /** Fails a task as a worker does; answers with the id of its callback. */
  fail(taskId: TaskId): Promise<string | undefined>;
  /** Ids of the jobs of a queue, as BullMQ holds them; sorted. */
  jobs(queue: string): Promise<string[]>;
  /** Takes so many jobs of a queue, as workers do; their tasks, in that order. */
  work(family: Family, count: number): Promise<TaskId[]>;
  /** Tasks of the payer in family `image`: submitted, and accepted by a vendor, all due for long, with no job in the queue. */
  insertBacklog(counts: { waiting: number; underWay: number }): Promise<void>;
  /** Makes it look as if every process had died a while ago. */
  forgetLeases(): Promise<void>;
  /** The same deployment after Redis lost everything. */
  withEmptyRedis(): { queues: Queues; jobs(queue: string): Promise<string[]> };
  close(): Promise<void>;
}

const NO_REACH = { hasMail: false, allowPorts: [], allowPrivateCidrs: [], allowOrigins: [], ownHosts: [] };

const noRules = () => {
  throw new Error('no target was expected');
};

const ignoreErrors: NonNullable<QueuesOptions['onError']> = () => {};

/** Moves the rows of a task to the time of its id. */
async function bookAtItsId(database: Database, taskId: TaskId): Promise<void> {
  const time = new Date(timeOfId(taskId.slice('task_'.length))).toISOString();
  await withoutGuards(
    database,
    `update tasks set created_at = '${time}' where id = '${taskId}'`,
    `update reservations set created_at = '${time}' where task_id = '${taskId}'`,
  );
}

export async function openWorld(): Promise<World> {
  const { databaseUrl, database, another, close } = await openTestDatabase();
  const other = another();
  const { id: accountId } = await createAccount(database, { name: 'payer', webhookSecret: 'whsec_dGVzdA==' });
  await topUp(database, { accountId, amountNano: 1_000_000_000n });
  const { id: keyId } = await createKey(database, 'a pepper for tests only', { accountId });
  const submitter = createSubmitter(database);
  const finish = createFinisher(database);
  const home = await mkdtemp(join(tmpdir(), 'mediagate-reconciler-'));
  const mediaScope = new ProcessScope(openLog().logger);
  const media = await openMediaStore(mediaScope, database, {
    storage: { driver: 'filesystem' },
    config: { MEDIAGATE_HOME: home, MEDIAGATE_LINK_SECRET: 'a link secret for tests only', STORAGE_MIN_FREE_MB: 1 },
    publicBaseUrl: 'http://127.0.0.1:8080',
  });

  const closers: (() => Promise<void>)[] = [];
  function openRedis(prefix: string) {
    const options = { redisUrl: testRedisUrl(), prefix, onError: ignoreErrors };
    const [queues, views] = [openQueues(options), openQueueViews(options)];
    closers.push(
      () => queues.close(),
      () => views.close(),
    );
    async function jobs(name: string): Promise<string[]> {
      await views.counts();
      const queue = views.queues.find((candidate) => candidate.name === name);
      if (queue === undefined) throw new Error(`no queue ${name}`);
      const found = await queue.getJobs(['wait', 'delayed', 'active', 'prioritized']);
      return found.map((job) => String(job.id)).sort();
    }
    return { queues, jobs };
  }
  const redisPrefix = uniquePrefix();
  const { queues, jobs } = openRedis(redisPrefix);
  const reconciler = (replaced: Partial<JobDeps> = {}) =>
    createJobs({
      database,
      queues,
      channels: { serving: () => [] },
      media,
      logger: openLog().logger,
      metrics: new Registry(),
      labels: { models: new Set(), model: () => 'other', channel: (id) => id, isTest: () => false },
      lowBalanceNano: 1_000_000_000n,
      retentionDays: 30,
      fingerprintDays: 90,
      auditEveryMs: 1000,
      windowJobs: 500,
      notices: { accountRules: noRules, operatorRules: noRules, mailer: undefined, reach: () => NO_REACH },
      ...replaced,
    });

  return {
    databaseUrl,
    database,
    other,
    queues,
    jobs,
    redisPrefix,
    accountId,
    media,
    home,
    reconciler,
    otherReconciler: () => reconciler({ database: other, queues: openRedis(redisPrefix).queues }),
    withEmptyRedis: () => openRedis(uniquePrefix()),
    async submit(more = {}, row = {}) {
      const submission: Submission = { ...SUBMISSION, accountId, keyId, taskId: newTaskId(), ...more };
      const { kind } = await submitter(submission);
      if (kind !== 'accepted') throw new Error(`the submission was ${kind}`);
      await bookAtItsId(database, submission.taskId);
      if (Object.keys(row).length > 0) {
        await database.task.update({ where: { id: submission.taskId }, data: row });
      }
      return submission.taskId;
    },
    async fail(taskId) {
      const error = taskError('upstream_error');
      return (await finish({ taskId, accountId, fence: 'any', outcome: { kind: 'failed', error } })).deliveryId;
    },
    async work(family, count) {
      const taken: TaskId[] = [];
      const worker = new EventEmitter();
      const done = once(worker, 'done');
      const consumer = queues.consumeTasks(
        family,
        async ({ taskId }) => {
          taken.push(taskId);
          if (taken.length === count) worker.emit('done');
          // The last one is being worked on until the consumer takes no more.
          if (taken.length === count) await once(worker, 'closing');
        },
        { concurrency: 1 },
      );
      await done;
      const closed = consumer.close();
      worker.emit('closing');
      await closed;
      return taken;
    },
    async insertBacklog({ waiting, underWay }) {
      await runSql(database, INSERT_BACKLOG, [keyId, waiting, 'submitted']);
      await runSql(database, INSERT_BACKLOG, [keyId, underWay, 'pending']);
    },
    async forgetLeases() {
      await database.lease.deleteMany();
    },
    async close() {
      await Promise.all([...closers.map((close) => close()), mediaScope.close()]);
      await close();
      await rm(home, { recursive: true });
    },
  };
}

const INSERT_BACKLOG = `
insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
  deadline_at, next_step_at, status)
select 'task_' || translate(substr(md5($3 || n) || md5(n::text), 1, 26), 'ilou', 'jkmn'), k.account_id, k.id, 'image', 'image', 'a-model', 'images.generations',
  '{}', '{}', 1, 5, now() + interval '1 hour', now() - make_interval(secs => 1000 - n::float8 / 1000), $3
from api_keys k, generate_series(1, $2::int) n where k.id = $1`;

const SUBMISSION: Omit<Submission, 'taskId' | 'accountId' | 'keyId'> = {
  family: 'image',
  kind: 'image',
  model: 'a-model',
  operation: 'images.generations',
  input: { prompt: 'a lighthouse' },
  rates: { image_output: 30n },
  catalogueVersion: 1,
  warnings: [],
  requestId: 'req_test',
  reservedNano: RESERVED_NANO,
  deadlineMs: 600_000,
};

export const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** A logger and the events it has logged. */
export function openLog(): { logger: Logger; lines(): { message: string; [field: string]: unknown }[] } {
  const output = new PassThrough({ encoding: 'utf8' });
  const written: string[] = [];
  output.on('data', (line: string) => written.push(line));
  return {
    logger: createLogger({ service: 'reconciler', level: 'debug', format: 'json', output }),
    lines: () => written.map((line) => JSON.parse(line)),
  };
}
