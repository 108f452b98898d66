import type { CatalogueEntry } from '@mediagate/catalog';
import {
  type Fault,
  type JsonObject,
  type LoadedMedia,
  type Output,
  type Pending,
  reasonOf,
  type Streaming,
  type TaskFailureReason,
  type Usage,
} from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import type { OutgoingStream } from '@mediagate/streams';
import type { ClaimedTask } from '@mediagate/tasks';
import type { Adapter } from '@mediagate/upstreams';
import type { StoredOutput } from './profile';

/** One attempt at one channel, as far as a step needs it. */
export interface UnderWay {
  id: string;
  channel: Channel;
  adapter: Adapter;
}

/** What an upstream made, before it is ours. */
export interface Produced {
  outputs: Output[];
  /** Undefined: files are all there is. */
  facts: JsonObject | undefined;
  usage: Usage;
  requestIds: string[];
}

/** What one step of one task has come to so far. Steps take it and give it back; a step after the decision does nothing. */
export interface Run {
  task: ClaimedTask;
  entry: CatalogueEntry;
  /** Aborts when the lease is lost or the deadline passes, or whoever waits for a live task is gone. */
  signal: AbortSignal;
  /** False once the lease has run out by this process's own clock, even if nothing has told it yet. */
  stillLeased(): boolean;
  /** Of a live task: being asked who waits for it. */
  meeting?: Promise<OutgoingStream | undefined> | undefined;
  /** Who waits for a live task. */
  listener?: OutgoingStream;
  /** Runs once the step is over, however it ends. */
  onEnd(release: () => void): void;
  media?: LoadedMedia[];
  underWay?: UnderWay;
  /** An earlier sending of this attempt may have been accepted: an answer to another one does not say that it was not. */
  inDoubt?: boolean;
  produced?: Produced;
  /** The first stage of the job is done: what its adapter starts the next one with. */
  nextStage?: JsonObject;
  /** What an upstream has begun to give for a live task. */
  streaming?: Streaming;
  outcome?: Outcome;
}

export type Outcome =
  /** The outputs are stored: complete and settle. */
  | { kind: 'succeeded'; outputs: StoredOutput[]; facts: JsonObject; usage: Usage; requestIds: string[] }
  /** End with a refund. */
  | {
      kind: 'failed';
      reason: TaskFailureReason;
      message?: string;
      param?: string;
      fault?: Fault;
      requestIds?: string[];
    }
  /** The upstream has the job: save how to ask for it, and ask later. */
  | { kind: 'accepted'; externalId: string; operation: JsonObject; checkAfterMs: number; requestIds: string[] }
  /** The upstream is at work, or could not be asked just now. */
  | {
      kind: 'waiting';
      phase: Pending['phase'];
      checkAfterMs: number;
      progress?: number;
      operation?: JsonObject;
      failedStep: boolean;
      fault?: Fault;
    }
  /** The next stage of the job was turned away for certain: ask later how the first one stands, and go on from there. */
  | { kind: 'stage_withdrawn'; checkAfterMs: number; failedStep: boolean; fault: Fault }
  /** This channel did not take it: on to another, or round again later. */
  | { kind: 'turned_away'; fault: Fault; requestIds: string[] }
  /** No channel can take it just now, through nobody's fault. */
  | { kind: 'no_channel'; reason: 'at_capacity' | 'being_probed' | 'all_tried' | 'all_broken' | 'none_configured' }
  /** Another worker has the task, or it has ended: whatever this one did must change nothing. */
  | { kind: 'lost'; usage?: Usage; externalId?: string };

/** The task ends with what the upstream said of it. */
export function failedBy(fault: Fault, requestIds: string[]): Extract<Outcome, { kind: 'failed' }> {
  const { publicMessage: message, param } = fault;
  return {
    kind: 'failed',
    reason: reasonOf(fault),
    fault,
    requestIds,
    ...(message === undefined ? {} : { message }),
    ...(param === undefined ? {} : { param }),
  };
}
