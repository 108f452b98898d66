import { type Call, type ClientOptions, type Connection, createConnection, type Query } from './connection.ts';
import { dataOf } from './data-of.ts';
import { createFileMethods, type FileMethods } from './file-methods.ts';
import { type FollowOptions, followTask } from './follow-task.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { entriesOf } from './pages.ts';
import { type SubmitOptions, submit } from './submit.ts';
import type {
  ApiKey,
  Balance,
  CancelledTask,
  Delivery,
  DescribedModel,
  EndedTask,
  Estimate,
  FoundTask,
  Invoice,
  InvoiceQuery,
  KeyFilter,
  LedgerEntry,
  LedgerFilter,
  Lineage,
  Model,
  NewKey,
  NewNoticeTarget,
  Notice,
  NoticeFilter,
  NoticeSettings,
  NoticeSettingsChange,
  NoticeTarget,
  NoticeTargetChanges,
  ReadOptions,
  Redelivered,
  RedeliveryFilter,
  ShownTask,
  Submission,
  SubmissionBody,
  SubmissionPath,
  TaskFilter,
  TaskRecord,
  Usage,
  UsageQuery,
  WebhookSecret,
  WebhookTest,
} from './types.ts';
import { type WaitOptions, waitForTask } from './wait-for-task.ts';

type Abortable = { signal?: AbortSignal };

/** A change is made once for each `idempotencyKey` of yours. Absent: a new key, under which retries are safe. */
type Keyed = Abortable & { idempotencyKey?: string };

/** Everything that a key of the gateway may ask for. Fields of bodies, filters and answers have the names of the API. */
export interface Client extends FileMethods {
  /** Creates a task. */
  submit<Path extends SubmissionPath>(
    path: Path,
    body: SubmissionBody<Path>,
    options?: SubmitOptions,
  ): Promise<Submission>;
  /** Estimates what a submission would cost; makes and books nothing. */
  estimate<Path extends SubmissionPath>(
    path: Path,
    body: Exclude<SubmissionBody<Path>, FormData>,
    options?: Abortable,
  ): Promise<Estimate>;
  /** The task once it has ended, completed or failed: by its events, or by polls where those cannot be received. */
  waitFor(taskId: string, options?: WaitOptions): Promise<EndedTask>;
  /** The task now and whenever it changes, until it has ended. */
  followTask(taskId: string, options?: FollowOptions): AsyncIterable<TaskRecord>;
  getTask(taskId: string, options?: ReadOptions & Abortable): Promise<ShownTask>;
  /** Up to 100 tasks in the order asked for; each answer says whether its task is there. */
  getTasks(taskIds: readonly string[], options?: Abortable & { language?: string }): Promise<FoundTask[]>;
  /** The tasks that the task was made from, and those made from it. */
  getLineage(taskId: string, options?: Abortable): Promise<Lineage>;
  /** The account's tasks, the newest first. Pages are asked for as they are needed. */
  listTasks(filter?: TaskFilter & Abortable): AsyncIterable<TaskRecord>;
  cancel(taskId: string, options?: Abortable): Promise<CancelledTask>;
  /** How the task's callback was delivered. */
  listDeliveries(taskId: string, options?: Abortable): Promise<Delivery[]>;
  /** Sends the task's callback again. */
  redeliver(taskId: string, options?: Keyed): Promise<Delivery>;
  /** Sends many callbacks of the account again, up to 1000 at once; while `has_more`, go on with `next_cursor`. */
  redeliverMany(filter: RedeliveryFilter, options?: Keyed): Promise<Redelivered>;
  listModels(options?: Abortable): Promise<Model[]>;
  getModel(model: string, options?: Abortable): Promise<DescribedModel>;
  /** The key's balance. */
  getBalance(options?: Abortable): Promise<Balance>;
  /** The balance of the key's whole account. */
  getAccountBalance(options?: Abortable): Promise<Balance>;
  /** The account's bookings, the newest first. Pages are asked for as they are needed. */
  listLedger(filter?: LedgerFilter & Abortable): AsyncIterable<LedgerEntry>;
  /** The account's bookings of a month; without one, of the last month that is over. */
  getInvoice(query?: InvoiceQuery & Abortable): Promise<Invoice>;
  getUsage(query?: UsageQuery & Abortable): Promise<Usage>;
  /** Sends a test callback. */
  testWebhook(url: string, options?: Abortable): Promise<WebhookTest>;
  getWebhookSecret(options?: Abortable): Promise<WebhookSecret>;
  /** Makes a new secret; the one before stays valid for so many seconds. */
  rotateWebhookSecret(options?: Abortable & { overlapSeconds?: number }): Promise<WebhookSecret>;
  /**
   * Makes a key of the account, if this one has the right `manage`. The answer alone shows it: without `key`, an earlier try made it
   * and its answer was lost. Then revoke it and make another.
   */
  createKey(key: NewKey, options?: Keyed): Promise<ApiKey>;
  /** The account's keys, the newest first. Pages are asked for as they are needed. */
  listKeys(filter?: KeyFilter & Abortable): AsyncIterable<ApiKey>;
  /** Changes what is given of a key that this one made. */
  updateKey(keyId: string, changes: NewKey, options?: Keyed): Promise<ApiKey>;
  /** Ends a key that this one made, for good. */
  revokeKey(keyId: string, options?: Abortable): Promise<ApiKey>;
  /** The account's notices, the newest first. Pages are asked for as they are needed. */
  listNotices(filter?: NoticeFilter & Abortable): AsyncIterable<Notice>;
  /** The targets that the account's notices go to. */
  listNoticeTargets(options?: Abortable): Promise<NoticeTarget[]>;
  createNoticeTarget(target: NewNoticeTarget, options?: Keyed): Promise<NoticeTarget>;
  updateNoticeTarget(targetId: string, changes: NoticeTargetChanges, options?: Keyed): Promise<NoticeTarget>;
  removeNoticeTarget(targetId: string, options?: Keyed): Promise<{ id: string }>;
  /** Sends a test; what comes of it stands in the target's `last_message` within seconds. */
  testNoticeTarget(targetId: string, options?: Keyed): Promise<NoticeTarget>;
  getNoticeSettings(options?: Abortable): Promise<NoticeSettings>;
  /** Changes what is given; null takes a value back to that of operators. */
  updateNoticeSettings(changes: NoticeSettingsChange, options?: Keyed): Promise<NoticeSettings>;
}

/** A client of the gateway. It keeps no connection of its own and needs no end. */
export function createClient(options: ClientOptions): Client {
  const connection = createConnection(options);
  const { get, post, change } = requestsOf(connection);

  return {
    ...createFileMethods(connection),
    submit: (path, body, how) => submit(connection, path, body, how),
    estimate: (path, body, how) => dataOf(post('/v1/estimate', { path, body }, how)),
    waitFor: (taskId, how) => waitForTask(connection, taskId, how),
    followTask: (taskId, how) => followTask(connection, taskId, how),
    getTask: (taskId, how) => dataOf(get(taskPath(taskId), how)),
    getTasks: (taskIds, { language, ...how } = {}) =>
      dataOf(post('/v1/tasks/batch', { task_ids: taskIds, language }, how)),
    getLineage: (taskId, how) => dataOf(get(taskPath(taskId, '/lineage'), how)),
    listTasks: ({ metadata = {}, ...filter } = {}) =>
      entriesOf((cursor) => get('/v1/tasks', { ...filter, ...metadataFilter(metadata), ...cursor })),
    cancel: (taskId, how) => dataOf(post(taskPath(taskId, '/cancel'), undefined, how)),
    listDeliveries: (taskId, how) => dataOf(get(taskPath(taskId, '/deliveries'), how)),
    redeliver: (taskId, how) => dataOf(change({ method: 'POST', path: taskPath(taskId, '/redeliver') }, how)),
    redeliverMany: (body, how) => dataOf(change({ method: 'POST', path: '/v1/webhooks/redeliver', body }, how)),
    listModels: (how) => dataOf(get('/models', how)),
    getModel: (model, how) => dataOf(get(`/models/${encodeURIComponent(model)}`, how)),
    getBalance: (how) => get('/v1/balance', how),
    getAccountBalance: (how) => get('/v1/user/balance', how),
    listLedger: (filter) => entriesOf((cursor) => get('/v1/ledger', { ...filter, ...cursor })),
    getInvoice: (query) => dataOf(get('/v1/invoice', query)),
    getUsage: (query) => get('/v1/usage', query),
    testWebhook: (url, how) => dataOf(post('/v1/webhooks/test', { url }, { ...how, repeatable: false })),
    getWebhookSecret: (how) => dataOf(get('/v1/webhooks/secret', how)),
    rotateWebhookSecret: ({ overlapSeconds, ...how } = {}) =>
      // Twice, and the secret that receivers have would be valid no more.
      dataOf(post('/v1/webhooks/secret/rotate', { overlap_seconds: overlapSeconds }, { ...how, repeatable: false })),
    createKey: (body, how) => dataOf(change({ method: 'POST', path: '/v1/keys', body }, how)),
    listKeys: (filter) => entriesOf((cursor) => get('/v1/keys', { ...filter, ...cursor })),
    updateKey: (keyId, body, how) => dataOf(change({ method: 'PATCH', path: keyPath(keyId), body }, how)),
    revokeKey: (keyId, how) => dataOf(connection.ask({ method: 'DELETE', path: keyPath(keyId), ...how })),
    ...noticeMethods(connection),
  };
}

function requestsOf(connection: Connection) {
  const get = <Answer>(path: string, { signal, ...query }: Query & Abortable = {}): Promise<Answer> =>
    connection.ask({ method: 'GET', path, query, signal });
  const post = <Answer>(path: string, body: unknown, { signal, ...how }: PostOptions = {}): Promise<Answer> =>
    connection.ask({ method: 'POST', path, body, signal, ...how });
  const change = <Answer>(call: Pick<Call, 'method' | 'path' | 'body'>, options: Keyed = {}): Promise<Answer> => {
    const { idempotencyKey = newIdempotencyKey(), signal } = options;
    return connection.ask({ ...call, signal, headers: { 'Idempotency-Key': idempotencyKey } });
  };
  return { get, post, change };
}

interface PostOptions extends Abortable {
  repeatable?: boolean;
}

function taskPath(taskId: string, rest = ''): string {
  return `/v1/tasks/${encodeURIComponent(taskId)}${rest}`;
}

function keyPath(keyId: string): string {
  return `/v1/keys/${encodeURIComponent(keyId)}`;
}

function noticeMethods(connection: Connection) {
  const { get, change } = requestsOf(connection);
  return {
    listNotices: (filter) => entriesOf((cursor) => get('/v1/notices', { ...filter, ...cursor })),
    listNoticeTargets: (how) => dataOf(get('/v1/notices/targets', how)),
    createNoticeTarget: (body, how) => dataOf(change({ method: 'POST', path: '/v1/notices/targets', body }, how)),
    updateNoticeTarget: (targetId, body, how) =>
      dataOf(change({ method: 'PATCH', path: targetPath(targetId), body }, how)),
    removeNoticeTarget: (targetId, how) => dataOf(change({ method: 'DELETE', path: targetPath(targetId) }, how)),
    testNoticeTarget: (targetId, how) => dataOf(change({ method: 'POST', path: targetPath(targetId, '/test') }, how)),
    getNoticeSettings: (how) => dataOf(get('/v1/notices/settings', how)),
    updateNoticeSettings: (body, how) => dataOf(change({ method: 'PATCH', path: '/v1/notices/settings', body }, how)),
  } satisfies Partial<Client>;
}

function targetPath(targetId: string, rest = ''): string {
  return `/v1/notices/targets/${encodeURIComponent(targetId)}${rest}`;
}

function metadataFilter(metadata: Readonly<Record<string, string>>): Query {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]));
}
