import type { FinishOutcome, FinishRequest } from '@mediagate/billing';
import type { Catalogue } from '@mediagate/catalog';
import type { ChannelBook, ChannelChooser, ChannelPaces, ChannelSlots } from '@mediagate/channels';
import type { Slots } from '@mediagate/concurrency';
import type { MarkPolicy } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { MediaLoader, MediaStore, OpenStepFiles, OutputFetcher, StorageHealth } from '@mediagate/media';
import type { Queues } from '@mediagate/queue';
import type { ClaimedTask, Tasks } from '@mediagate/tasks';
import type { Adapter } from '@mediagate/upstreams';
import type { ResultMarker } from './mark-result';
import type { FamilyProfile } from './profile';
import type { ResultFingerprints } from './result-fingerprints';
import type { StepGate } from './step-gate';
import type { StepMemory } from './step-memory';
import type { ReportLasting } from './steps/measure-call';
import type { WorkerMetrics } from './worker-metrics';

/** Everything the steps use, in narrow interfaces, so that a test can replace any part at the process's edge. */
export interface WorkerDeps extends StepMemory {
  profile: FamilyProfile;
  database: Database;
  logger: Logger;
  metrics: WorkerMetrics;
  catalogue: Pick<Catalogue, 'find'>;
  channels: ChannelChooser;
  channelBook: ChannelBook;
  /** Looks at what operators have set where the last look is too long ago. */
  ensureSettingsKnown(): Promise<void>;
  paces: Pick<ChannelPaces, 'throttled' | 'takeStart' | 'isPaced' | 'waitMs'>;
  channelSlots: Pick<ChannelSlots, 'answered' | 'freed' | 'learn'>;
  adapters: ReadonlyMap<string, Adapter>;
  leaseMs: number;
  reportLasting: ReportLasting;
  /** The gate of the whole process, whatever families it works for. */
  gate: StepGate;
  /** How long, and how many, calls are waited for after their callers have left. */
  lingerMs: number;
  lingering: Pick<Slots, 'tryTake'>;
  finish(finish: FinishRequest): Promise<FinishOutcome>;
  queue: Tasks['queue'] & Pick<Queues, 'countStarts' | 'enqueueStarts'>;
  /** Whether an origin that channels name may lead to public addresses alone. */
  mustBePublic(origin: string): boolean;
  /** Where the vendor of an attempt may call back; absent: nowhere. */
  callbackUrl?: (attemptId: string, channelId: string) => string;
  loadMedia: MediaLoader;
  fetchOutput: OutputFetcher;
  openFiles: OpenStepFiles;
  marksOf(task: Pick<ClaimedTask, 'ownMarks'>): MarkPolicy;
  markResult: ResultMarker;
  /** Undefined: the operator wants none. */
  fingerprints: ResultFingerprints | undefined;
  /** Why this process could keep no result of the task now; undefined: it could. */
  whyNotKept(task: Pick<ClaimedTask, 'ownMarks'>): 'storage_failing' | 'signing_failing' | undefined;
  store: Pick<MediaStore, 'save' | 'ownsUrl' | 'resolveOwnUrl'> & {
    health: Pick<StorageHealth, 'fault'>;
    inputs: Pick<MediaStore['inputs'], 'save' | 'takes'>;
  };
}
