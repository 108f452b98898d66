import type { EarlierSubmission, KeyedRequest, Submission, SubmitOutcome } from '@mediagate/billing';
import type { Callbacks } from '@mediagate/callbacks';
import type { Catalogue } from '@mediagate/catalog';
import type { Slots } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { GuardedClient } from '@mediagate/egress';
import type { Logger } from '@mediagate/host';
import type { Messages } from '@mediagate/languages';
import type { Links, MediaLoader, MediaStore, Prober, UploadQuotas } from '@mediagate/media';
import type { FingerprintTaker } from '@mediagate/provenance';
import type { CallbackTokens, CheckHastener, Tasks } from '@mediagate/tasks';
import type { Shutdown } from './http/caller-watch';
import type { FindModels } from './offered-models';
import type { EndedRecords } from './routes/public/tasks/ended-records';
import type { EnqueueTask } from './use-cases/enqueue-task';
import type { Reviewing } from './use-cases/review-content';
import type { SlotQueue } from './use-cases/slot-queue';
import type { Speeches } from './use-cases/speech/speeches';
import type { TaskWatch } from './use-cases/task-watch';
import type { Settlements } from './use-cases/text/settlements';
import type { TextChannels } from './use-cases/text/text-channels';

/** How the process looks at files, to compare them with results. */
export interface FileLook {
  takeHashes: FingerprintTaker;
  /** Without it, videos and sounds are compared by their bytes. */
  hasFfmpeg: boolean;
  /** Time to look at a file, with the wait for its turn; default 20 s. */
  lookMs?: number | undefined;
  logger: Pick<Logger, 'warn'>;
}

/** The domains that callers' routes work with, and what this process knows and keeps. */
export interface Api {
  database: Database;
  tasks: Tasks;
  callbacks: Callbacks;
  /** Key of the hash of keys. */
  pepper: string;
  /** Finds the models on offer; asked at every request. */
  models: FindModels;
  catalogue: Pick<Catalogue, 'entries'>;
  creditsPerUnit: number;
  /** Says in a caller's language why a task failed. */
  messages: Messages;
  /** Tasks whose callers wait for their end or follow them, and slots for those callers. */
  taskWatch: TaskWatch;
  waitSlots: Slots;
  endedRecords: EndedRecords;
  /** Slots for reports of usage, and for invoices by a zone. */
  usageSlots: Slots;
  mediaStore: MediaStore;
  links: Pick<Links, 'parseOwnUrl' | 'verify'>;
  publicBaseUrl: string;
  uploadQuotas(): UploadQuotas;
  /** The attempts that vendors call back about. */
  callbackTokens: Pick<CallbackTokens, 'attemptOf'>;
  hastener: Pick<CheckHastener, 'hasten'>;
  /** Says what is wrong with an address that a caller names, and takes files apart. */
  client: Pick<GuardedClient, 'checkUrl' | 'stream'>;
  prober: Prober;
  fileLook: FileLook;
  loadMedia: MediaLoader;
  /** The largest image that is fetched from a caller's URL or arrives in the form of an edit. */
  maxImageBytes: number;
  reviewing: Reviewing;
  /** Finds the task of a request that was sent before; requests that come together share one statement. */
  findEarlier(request: KeyedRequest): Promise<EarlierSubmission | undefined>;
  /** Writes a task with its reservation; requests that come together share one statement. */
  submit(submission: Submission): Promise<SubmitOutcome>;
  /** Forgets what is remembered of a key that has ended. */
  forgetKey(keyId: string): void;
  enqueueTask: EnqueueTask;
  /** How long a failing storage is waited for; default: a minute. */
  storagePatienceMs?: number | undefined;
  /** Callers who wait for a slot of their key, and those who listen to a speech. */
  slots: SlotQueue;
  speeches: Speeches;
  textChannels: TextChannels;
  settlements: Settlements;
  shutdown: Readonly<Shutdown>;
  /** How long, and how many, texts are waited for after their callers have left. */
  lingerMs: number;
  lingering: Pick<Slots, 'tryTake'>;
  /** Silence of an answer of events after which a comment goes out; default: ten seconds. */
  silenceMs?: number | undefined;
}
