import {
  createEarlierFinder,
  findShortage,
  listLedger,
  readAccountBalance,
  readInvoice,
  readKeyBalance,
  sumUsage,
} from '@mediagate/billing';
import type { Slots } from '@mediagate/concurrency';
import type { Nano, TaskId } from '@mediagate/contracts';
import type { Database, Visibility } from '@mediagate/database';
import type { GuardedClient } from '@mediagate/egress';
import type { Logger } from '@mediagate/host';
import { createKeyFinder, createOperatorFinder, listKeys, readAccount } from '@mediagate/identity';
import type { Messages } from '@mediagate/languages';
import {
  createMediaChecker,
  createMediaLoader,
  type Links,
  type MediaStore,
  type Prober,
  type UploadQuotas,
} from '@mediagate/media';
import type { Queues, RedisClient } from '@mediagate/queue';
import {
  type CallbackTokens,
  countOpen,
  findLineage,
  findSource,
  listAttempts,
  listTasks,
  readTaskInputs,
} from '@mediagate/tasks';
import type { Registry } from 'prom-client';
import type { Api } from './api';
import type { AppDeps } from './app';
import { createRequestRecorder } from './http/access-record';
import { AddressPace } from './http/address-pace';
import { createAuthenticator } from './http/authenticate';
import { createOperatorAuthenticator } from './http/authenticate-operator';
import type { BodyPace } from './http/body-pace';
import { createRateLimit } from './http/rate-limit';
import type { RequestScopes } from './http/request-scope';
import type { Shutdown } from './http/shutdown';
import type { Operators } from './operators';
import { ENDED_RECORDS, WRONG_TOKENS_PER_ADDRESS } from './request-limits';
import { SETTING_FIELDS } from './routes/keys/key-fields';
import { EndedRecords } from './routes/tasks/ended-records';
import { createAdmitTest } from './use-cases/admit-test';
import { type BookTaskDeps, createBookTask } from './use-cases/book-task';
import { createEnqueueTask, type EnqueueTaskDeps } from './use-cases/enqueue-task';
import { createEstimateTask } from './use-cases/estimate-task';
import { ManageKeys } from './use-cases/manage-keys';
import { createMarginSlots } from './use-cases/margin-report';
import { createMediaGate } from './use-cases/media-gate';
import type { ReviewContent } from './use-cases/review-content';
import { createSaveUpload } from './use-cases/save-upload';
import { SlotQueue } from './use-cases/slot-queue';
import type { Speeches } from './use-cases/speech/speeches';
import { createSubmitTask } from './use-cases/submit-task';
import type { TaskWatch } from './use-cases/task-watch';
import type { Settlements } from './use-cases/text/settlements';
import type { TextChannels } from './use-cases/text/text-channels';
import { createReadUsage } from './use-cases/usage-report';

/** Resources that the application uses; `main` or a test opens them. */
export interface AppResources extends Api, Omit<Operators, 'manageKeys' | 'marginSlots'> {
  pepper: string;
  logger: Logger;
  queues: EnqueueTaskDeps['queues'] & Pick<Queues, 'counts'>;
  /** The Redis client of the rate limits; its commands must have a time limit. */
  redis: RedisClient;
  redisPrefix: string;
  speeches: Speeches;
  textChannels: TextChannels;
  settlements: Settlements;
  submit: BookTaskDeps['submit'];
  taskWatch: TaskWatch;
  shutdown: Readonly<Shutdown>;
  /** Knows whose an error is that nothing caught. */
  scopes: RequestScopes;
  bodyPace: BodyPace;
  /** How long a caller waits for a slot of its key, one who cancels for a worker (10 s), and a failing storage is waited for (a minute). */
  times: { slotWaitMs?: number; cancelWaitMs?: number; storagePatienceMs?: number };
  /** How long the process waits for a text after its caller has left, and slots for texts that it waits for. */
  lingerMs: number;
  lingering: Pick<Slots, 'tryTake'>;
  /** Slots for callers who wait for a task. */
  waitSlots: Slots;
  mediaStore: MediaStore;
  judgeArriving: AppDeps['judgeArriving'];
  prober: Prober;
  links: Links;
  callbackTokens: CallbackTokens;
  hastenCheck: AppDeps['hastenCheck'];
  client: Pick<GuardedClient, 'checkUrl' | 'download' | 'stream'>;
  /** The largest image that is fetched from a caller's URL or arrives in the form of an edit. */
  maxImageBytes: number;
  /** Has content reviewed by an upstream, for models whose callers ask for it. */
  reviewContent: ReviewContent;
  /** Says in a caller's language why a task failed. */
  messages: Messages;
  uploadQuotas(): UploadQuotas;
  metrics: Registry;
  /** A key was let in. */
  noteKeyUse(keyId: string): void;
  publicBaseUrl: string;
  pageOrigins: readonly string[];
  /** Starts of a family that wait in each line of its queue at most. */
  windowJobs: number;
  /** First word of the paths of the image tool's older interface. */
  legacyPrefix: string;
}

/** Makes what an application of any audience needs; a process calls it once. */
export function assembleDeps(resources: AppResources): AppDeps {
  const { pepper, ...parts } = resources;
  const { database, mediaStore, logger, client } = parts;
  const findKey = createKeyFinder(database);
  const authenticator = createAuthenticator({ findKey, pepper, noteUse: resources.noteKeyUse });
  const saveUpload = createSaveUpload(mediaStore, resources.uploadQuotas);
  const slots = new SlotQueue({ waitMs: resources.times.slotWaitMs });
  const admissions = { slots, admitTest: createAdmitTest(resources), forgetKey: authenticator.forget };
  const bookTask = createBookTask({ submit: resources.submit, ...admissions });
  const { redis, redisPrefix: prefix } = resources;
  const manageKeys = new ManageKeys({ database, pepper, fieldNames: SETTING_FIELDS });
  return {
    ...parts,
    ...readersOf(database),
    api: parts,
    operators: { ...parts, manageKeys, marginSlots: createMarginSlots() },
    authenticateOperator: createOperatorAuthenticator(
      createOperatorFinder(database, pepper),
      new AddressPace(WRONG_TOKENS_PER_ADDRESS),
    ),
    ...submissions(resources, { saveUpload, bookTask }),
    authenticator,
    saveUpload,
    slots,
    bookTask,
    manageKeys,
    readTask: parts.tasks.read,
    endedRecords: new EndedRecords(ENDED_RECORDS),
    rateLimit: createRateLimit({ redis, prefix, logger }),
    loadMedia: createMediaLoader({ client, store: mediaStore, prober: resources.prober }),
    recordRequest: createRequestRecorder(logger, resources.metrics, resources.shutdown),
  };
}

function submissions(resources: AppResources, { saveUpload, bookTask }: Pick<AppDeps, 'saveUpload' | 'bookTask'>) {
  const { database, queues, client, models, maxImageBytes, mediaStore, prober, logger } = resources;
  const checkUrl = (url: string) => client.checkUrl(url);
  const checkMedia = createMediaChecker({ client, store: mediaStore, prober });
  const prepareDeps = {
    models,
    mediaGate: createMediaGate({ maxImageBytes, checkMedia, saveUpload, checkUrl }),
    findSource: (caller: Visibility, id: TaskId) => findSource(database, caller, id),
    findShortage: (keyId: string, amountNano: Nano) => findShortage(database, keyId, amountNano),
    checkWebhook: (url: string) => resources.callbacks.rules().client.checkUrl(url),
  };
  const findEarlier = createEarlierFinder(database);
  const estimateDeps = {
    findShortage: prepareDeps.findShortage,
    readKeyBalance: (key: Visibility & { id: string }) => readKeyBalance(database, key),
    readAccount: (id: string) => readAccount(database, id),
  };
  const submitTask = createSubmitTask({
    ...prepareDeps,
    reviewContent: resources.reviewContent,
    bookTask,
    findEarlier,
    enqueueTask: createEnqueueTask({ queues, logger, windowJobs: resources.windowJobs }),
    health: mediaStore.health,
    storagePatienceMs: resources.times.storagePatienceMs,
  });
  return {
    submitTask,
    estimateTask: createEstimateTask({ ...prepareDeps, ...estimateDeps }),
    ...estimateDeps,
    findEarlier,
  };
}

function readersOf(database: Database) {
  return {
    countOpen: (keyId) => countOpen(database, { keyId, family: 'imgtool' }),
    readInputs: (ids) => readTaskInputs(database, ids),
    listAttempts: (taskIds) => listAttempts(database, taskIds),
    listTaskLedgers: (caller, taskIds) => database.listTaskLedgers(caller, taskIds),
    listTasks: (query) => listTasks(database, query),
    findLineage: (caller, id) => findLineage(database, caller, id),
    readKeyBalance: (key) => readKeyBalance(database, key),
    readAccountBalance: (accountId) => readAccountBalance(database, accountId),
    listKeys: (query) => listKeys(database, query),
    listLedger: (who, query) => listLedger(database, who, query),
    readInvoice: (accountId, month) => readInvoice(database, accountId, month),
    readUsage: createReadUsage((query, limit) => sumUsage(database, query, limit)),
  } satisfies Partial<AppDeps>;
}
