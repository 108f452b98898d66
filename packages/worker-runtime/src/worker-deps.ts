import type { Finish, Finished } from '@mediagate/billing';
import type { Catalogue } from '@mediagate/catalog';
import type { LoadedMedia, MediaReference, TaskId } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { DeliveryWake, TaskWake } from '@mediagate/queue';
import type { ClaimOutcome, StepWrites } from '@mediagate/tasks';
import type { Adapter } from '@mediagate/upstreams';
import type { ChannelChooser } from './channels/channel-chooser';
import type { FamilyProfile, StoredOutput } from './profile';
import type { WorkerMetrics } from './worker-metrics';

/** What the steps need of the world; narrow, so that a test can stand in for any part at the process's edge. */
export interface WorkerDeps {
  profile: FamilyProfile;
  logger: Logger;
  metrics: WorkerMetrics;
  catalogue: Catalogue;
  channels: ChannelChooser;
  adapters: ReadonlyMap<string, Adapter>;
  leaseMs: number;
  claim(id: TaskId): Promise<ClaimOutcome>;
  writes: StepWrites;
  finish(finish: Finish): Promise<Finished>;
  queue: {
    wakeTask(wake: TaskWake): Promise<void>;
    wakeDelivery(wake: DeliveryWake): Promise<void>;
  };
  /** @throws MediaError fit for the caller. */
  loadMedia(references: MediaReference[], signal: AbortSignal): Promise<LoadedMedia[]>;
  /** Fetches what an upstream links to; the channel's own origin is allowed whatever its address. */
  fetchOutput(url: string, options: FetchOutputOptions): Promise<{ bytes: Buffer }>;
  /** Judges the bytes, keeps them, and gives the link under which they are served. */
  storeOutput(output: NewOutput): Promise<Omit<StoredOutput, 'role'>>;
}

export interface FetchOutputOptions {
  allowOrigin: string;
  maxBytes: number;
  contentTypes: readonly string[];
  signal: AbortSignal;
}

export interface NewOutput {
  accountId: string;
  taskId: TaskId;
  bytes: Buffer;
  contentTypes: readonly string[];
  lifetimeMs: number;
}
