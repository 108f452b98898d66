import type { Finish, Finished } from '@mediagate/billing';
import type { Catalogue } from '@mediagate/catalog';
import type { ChannelBook, ChannelChooser } from '@mediagate/channels';
import type { TaskId, TaskJob } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { MediaLoader, MediaStore, OutputFetcher } from '@mediagate/media';
import type { QueuedDelivery, QueuedTask } from '@mediagate/queue';
import type { StreamSender } from '@mediagate/streams';
import type { ClaimOutcome, StepWrites } from '@mediagate/tasks';
import type { Adapter } from '@mediagate/upstreams';
import type { InspectedFiles } from './inspected-files';
import type { FamilyProfile } from './profile';
import type { WaitingSlots } from './waiting-slots';
import type { WorkerMetrics } from './worker-metrics';

/** What the steps need of the world; narrow, so that a test can stand in for any part at the process's edge. */
export interface WorkerDeps {
  profile: FamilyProfile;
  logger: Logger;
  metrics: WorkerMetrics;
  catalogue: Pick<Catalogue, 'find'>;
  channels: ChannelChooser;
  channelBook: ChannelBook;
  adapters: ReadonlyMap<string, Adapter>;
  leaseMs: number;
  slots: WaitingSlots;
  inspectedFiles: InspectedFiles;
  /** Tasks that this process works on now, each by the step that has it, until that step is written down. */
  inFlight: Map<TaskId, TaskJob>;
  claim(id: TaskId): Promise<ClaimOutcome>;
  writes: StepWrites;
  finish(finish: Finish): Promise<Finished>;
  queue: {
    enqueueTask(wake: QueuedTask): Promise<void>;
    enqueueDelivery(wake: QueuedDelivery): Promise<void>;
  };
  loadMedia: MediaLoader;
  fetchOutput: OutputFetcher;
  store: Pick<MediaStore, 'save' | 'ownsUrl'>;
  /** Absent where the family has no live models. */
  live?: Pick<StreamSender, 'open'>;
}
