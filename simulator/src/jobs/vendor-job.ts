import type { AssetFault } from '../assets/asset-fault';
import type { Faults } from '../faults/chooser';
import type { VideoFileOrder } from '../media/video/video-order';

/** How a job ends when it is left to end. */
export type Outcome = 'done' | 'policy' | 'fault';

/** `cancelled` apart, a state follows from the times and the clock: no timer runs for a job. */
export type JobState = 'queued' | 'running' | 'cancelled' | Outcome;

/** A job as a vendor keeps it: small, since thousands may be in flight at once. */
export interface VendorJob<Detail> {
  id: string;
  /** The caller's own id of it, where the vendor takes one. */
  externalTaskId: string | undefined;
  model: string;
  /** Without fault directives, cut to what a rule may match on. */
  prompt: string;
  /** On the simulator's clock. */
  submittedAtMs: number;
  startsAtMs: number;
  /** Infinity for a job that is stuck. */
  endsAtMs: number;
  /** Time for which links to its result work, from its end. */
  linkLifetimeMs: number;
  cancelledAtMs: number | undefined;
  outcome: Outcome;
  /** The faults chosen when it was started; undefined when there were none. */
  faults: Faults | undefined;
  assetFault: AssetFault | undefined;
  /** How its callbacks were answered; undefined: there were none. */
  callbacks?: number[];
  /** Undefined for a job whose result is no video. */
  video: VideoFileOrder | undefined;
  detail: Detail;
}

export function stateOf(job: VendorJob<unknown>, nowMs: number): JobState {
  if (job.cancelledAtMs !== undefined) return 'cancelled';
  if (nowMs < job.startsAtMs) return 'queued';
  return nowMs < job.endsAtMs ? 'running' : job.outcome;
}

/** When the links to its result stop, in seconds since 1970. */
export function linkExpirySeconds({ endsAtMs, linkLifetimeMs }: VendorJob<unknown>): number {
  return Math.ceil((endsAtMs + linkLifetimeMs) / 1_000);
}

/** A question about an id that the vendor may not know. */
export interface Asked<Detail> {
  id: string;
  task: VendorJob<Detail> | undefined;
}

export function aboutAsked({ id, task }: Asked<unknown>) {
  return { model: task?.model ?? '', prompt: task?.prompt ?? '', externalId: id, jobFaults: task?.faults };
}

/** The facts that a question about a job is put down with. */
export function aboutJob({ id, model, prompt, faults }: VendorJob<unknown>) {
  return { model, prompt, externalId: id, jobFaults: faults };
}
