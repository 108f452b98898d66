import { takeAssetFault } from '../assets/asset-fault';
import type { Faults } from '../faults/chooser';
import { durationMs } from '../faults/scenarios';
import type { VideoFileOrder } from '../media/video/video-order';
import type { Outcome, VendorJob } from './vendor-job';

type Plan = Pick<
  VendorJob<unknown>,
  'submittedAtMs' | 'startsAtMs' | 'endsAtMs' | 'linkLifetimeMs' | 'outcome' | 'faults' | 'assetFault' | 'video'
>;

/** The share of a job's time for which it waits in the vendor's queue. */
const QUEUED_SHARE = 0.2;

interface PlannedWork {
  nowMs: number;
  jobMs: number;
  linkLifetimeMs: number;
  video: VideoFileOrder | undefined;
}

/** Settles at its start how a job goes, so that every check tells the same story. `latency` is added to the work. */
export function planJob(faults: Faults, { nowMs, jobMs, linkLifetimeMs, video }: PlannedWork): Plan {
  const extraMs = durationMs(faults.take('latency')?.value ?? '', 0);
  const endsAtMs = faults.take('stuck') ? Number.POSITIVE_INFINITY : nowMs + jobMs + extraMs;
  return {
    submittedAtMs: nowMs,
    startsAtMs: nowMs + jobMs * QUEUED_SHARE,
    endsAtMs,
    linkLifetimeMs,
    outcome: outcomeOf(faults),
    faults: faults.from === null ? undefined : faults,
    assetFault: video && takeAssetFault(faults),
    video,
  };
}

function outcomeOf(faults: Faults): Outcome {
  if (faults.take('policy-result')) return 'policy';
  return faults.take('failed-result') ? 'fault' : 'done';
}
