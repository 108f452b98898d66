import type { CatalogueEntry } from '@mediagate/catalog';
import type { Linger } from '@mediagate/concurrency';
import {
  type Fault,
  type JsonObject,
  type LoadedMedia,
  type Message,
  type Output,
  type Pending,
  reasonOf,
  type Streaming,
  type TaskFailureReason,
  type Usage,
} from '@mediagate/contracts';
import type { StepFiles } from '@mediagate/media';
import type { Channel } from '@mediagate/settings';
import type { OutgoingSpeech } from '@mediagate/speech';
import type { ClaimedTask } from '@mediagate/tasks';
import type { Adapter, AnswerLog } from '@mediagate/upstreams';
import type { StoredOutput } from './profile';

/** The attempt that this run works on, and where. */
export interface CurrentAttempt {
  id: string;
  channel: Channel;
  adapter: Adapter;
}

/** Files that were brought for one channel. */
export interface CarriedMedia {
  channelId: string;
  /** Links of ours or data URLs, by the address that the caller gave. */
  addresses: ReadonlyMap<string, string>;
}

/** The result of an upstream, before it is stored. */
export interface Produced {
  outputs: Output[];
  /** The parts of the result that are no files; undefined: there are none. */
  facts: JsonObject | undefined;
  usage: Usage;
  /** The cost that the vendor reports, in its own credits. */
  credits?: string | undefined;
  requestIds: string[];
  /** The vendor's answer for operators, if an earlier step got it. */
  answer?: string;
}

/** A slot of a channel that is handed over while the step goes on. */
export interface FreedSlot {
  /** Another task may have it by now. */
  isHandedOver: boolean;
}

/** The state of one step of one task. Steps take it and return it; none runs once there is an outcome. */
export interface Run {
  task: ClaimedTask;
  entry: CatalogueEntry;
  /** It is a suspect that has its turn at the gate of steps. */
  isAlone: boolean;
  /** Aborts when the lease is lost, the deadline passes, or the listener of a synchronous task is gone and `linger` is over. */
  signal: AbortSignal;
  /** False once the lease has run out by this process's own clock, even before the database reports it. */
  stillLeased(): boolean;
  /** Until the task's deadline, at the latest. */
  msLeft(): number;
  /** The connection to the listener of a synchronous task, while it is opened. */
  openingSpeech?: Promise<OutgoingSpeech | undefined> | undefined;
  /** The connection to the listener of a synchronous task. */
  listener?: OutgoingSpeech;
  /** Keeps with the lease how the task ends if this process is gone, made by `keepEnd`. */
  keepEnd(end: string): void;
  /** How the call goes on after the listener has left. */
  linger?: Linger;
  /** Keeps the upstream's last answer in this step. */
  answers: AnswerLog;
  /** Runs once the step is over, however it ends. */
  onEnd(release: () => void): void;
  /** Where files of vendors' answers go. */
  files: StepFiles;
  media?: LoadedMedia[];
  /** Replacements of callers' addresses in a request, for a channel that does not pass them on. */
  carried?: CarriedMedia;
  current?: CurrentAttempt;
  /** An earlier request of this attempt may have been accepted: a refusal of the next one does not prove that it was not. */
  inDoubt?: boolean;
  produced?: Produced;
  /** The channel's slot, once the vendor is done. */
  freedSlot?: FreedSlot;
  /** The fields with which the adapter starts the next stage, once the first stage of the job is done. */
  nextStage?: JsonObject;
  /** The answer that an upstream has begun to stream for a synchronous task. */
  streaming?: Streaming;
  /** The vendor could not be asked to cancel the job, so that the next step asks again. */
  cancelAgain?: CancelAgain;
  outcome?: Outcome;
}

/** An upstream has the job: it is checked, and never started again. */
export function isAccepted({ task }: Pick<Run, 'task'>): boolean {
  return task.attempt?.state === 'accepted';
}

/** When the next step of a task may come that is to be cancelled. */
export interface CancelAgain {
  /** The vendor wants to be left alone for so long. */
  notBeforeMs?: number | undefined;
  /** Whoever cancels still waits for the answer. */
  withinMs?: number | undefined;
}

export type Outcome =
  /** The outputs are stored: complete and settle. */
  | { kind: 'succeeded'; outputs: StoredOutput[]; facts: JsonObject; usage: Usage; requestIds: string[] }
  /**
   * Settle what was used, without a result: it was cancelled and the upstream charges for what it did until then; or its caller left, and
   * nobody learns what came of the call, as `fault` says.
   */
  | { kind: 'charged'; usage: Usage; requestIds: string[]; fault?: Fault }
  /** End with a refund. */
  | {
      kind: 'failed';
      reason: TaskFailureReason;
      message?: Message;
      param?: string;
      fault?: Fault;
      /** Why the attempt ends, for operators, where no fault of the vendor ends it. */
      detail?: string;
      /** The charge that the vendor reports all the same, in its own credits; default: that of the fault. */
      credits?: string | undefined;
      requestIds?: string[];
    }
  /** The upstream has the job: save how to check it, and check later. */
  | { kind: 'accepted'; externalId: string; operation: JsonObject; checkAfterMs: number; requestIds: string[] }
  /** The upstream is working, or could not be checked now. */
  | {
      kind: 'waiting';
      phase: Pending['phase'];
      checkAfterMs: number;
      progress?: number;
      operation?: JsonObject;
      failedStep: boolean;
      fault?: Fault;
    }
  /** The next stage of the job was certainly not started: check the first one later, and continue from there. */
  | { kind: 'stage_withdrawn'; checkAfterMs: number; failedStep: boolean; fault: Fault }
  /** The intent is written, or may be, and was certainly not sent; of a next stage, if `isStage`: the task is due again. */
  | { kind: 'unsent'; isStage: boolean; fault: Fault }
  /** This channel refused the task: try another, or all again later. */
  | { kind: 'turned_away'; fault: Fault; requestIds: string[] }
  /** No channel can take the task now, and no request has failed. */
  | { kind: 'no_channel'; reason: NoChannelReason }
  /** Starts on all of them take turns. */
  | { kind: 'no_channel'; reason: 'paced'; waitMs: number }
  /** Another worker has claimed the task, or it has ended: this step must change nothing. */
  | { kind: 'lost'; usage?: Usage; externalId?: string };

export type OutcomeOf<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>;

export type NoChannelReason =
  /** Channels could take it, but have no slot free: it waits for its turn. */
  | 'at_capacity'
  /** This process could not keep its result. */
  | 'storage_failing'
  /** This process could not sign its result. */
  | 'signing_failing'
  /** This process has no slot for its files just now. */
  | 'files_busy'
  /** Files of its account or key take all the space that they may. */
  | 'inputs_full'
  /** Test tasks have begun as many in this process as they may. */
  | 'tests_busy'
  /** The one that is left is out of order, and another task probes it. */
  | 'being_probed'
  /** Each has turned it away, or cannot carry it. */
  | 'all_tried'
  /** The channels that are left are out of order. */
  | 'all_broken'
  /** No channel serves its model. */
  | 'none_configured';

/** The task ends with the reason that the upstream gave. */
export function failedBy(fault: Fault, requestIds: string[]): OutcomeOf<'failed'> {
  const { message, param } = fault;
  return {
    kind: 'failed',
    reason: reasonOf(fault),
    fault,
    requestIds,
    ...(message === undefined ? {} : { message }),
    ...(param === undefined ? {} : { param }),
  };
}
