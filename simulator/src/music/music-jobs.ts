import { type AssetFault, takeAssetFault } from '../assets/asset-fault';
import type { Clock } from '../clock';
import { createJobStore, type JobStore, type JobStoreOptions, type JobTerms, type NewJob } from '../jobs/job-store';
import type { VendorJob } from '../jobs/vendor-job';
import type { Call } from '../vendor-call/contract';
import type { Track } from './track';

/** The facts that every music job keeps; a vendor adds what its own words need. */
export interface MusicDetail {
  tracks: Track[];
  /** The fault that strikes the downloads of its files. */
  fileFault?: AssetFault | undefined;
}

/** The music jobs of one vendor account, and the tracks that came out of them. */
export interface MusicJobs<Detail extends MusicDetail> extends JobStore<Detail> {
  /** A track that the vendor has finished; undefined for every other id. */
  findTrack(id: string): { track: Track; job: VendorJob<Detail> } | undefined;
  /** The tracks of a job that are ready by now: the first one before the others. */
  readyTracks(job: VendorJob<Detail>): Track[];
  /** The share of the work that is done, from 0 to 1. */
  progress(job: VendorJob<Detail>): number;
}

/** The share of the work after which the first of several tracks is ready. */
export const FIRST_TRACK_AT = 0.5;

export function createMusicJobs<Detail extends MusicDetail>(
  terms: JobTerms,
  options: JobStoreOptions,
): MusicJobs<Detail> {
  const jobs = createJobStore<Detail>(terms, options);
  const byTrack = new Map<string, string>();

  const find = (trackId: string) => {
    const job = jobs.find(byTrack.get(trackId) ?? '');
    const track = job?.detail.tracks.find(({ id }) => id === trackId);
    return job && track && { track, job };
  };

  return {
    ...jobs,
    add(order: NewJob<Detail>, call: Call) {
      const fileFault = takeAssetFault(call.faults);
      const job = jobs.add({ ...order, detail: { ...order.detail, fileFault } }, call);
      for (const { id } of order.detail.tracks) byTrack.set(id, job.id);
      // Jobs are forgotten by the store; the ids of their tracks are looked through now and then.
      if (byTrack.size > MAX_TRACK_IDS) for (const id of byTrack.keys()) if (!find(id)) byTrack.delete(id);
      return job;
    },
    findTrack(id) {
      const found = find(id);
      return found && jobs.state(found.job) === 'done' ? found : undefined;
    },
    readyTracks(job) {
      const { tracks } = job.detail;
      if (jobs.state(job) === 'done') return tracks;
      if (jobs.state(job) !== 'running' || tracks.length === 1) return [];
      return progressOf(job, terms.clock) >= FIRST_TRACK_AT ? tracks.slice(0, 1) : [];
    },
    progress: (job) => progressOf(job, terms.clock),
    reset() {
      jobs.reset();
      byTrack.clear();
    },
  };
}

const MAX_TRACK_IDS = 200_000;

function progressOf({ startsAtMs, endsAtMs }: VendorJob<unknown>, clock: Clock): number {
  // A job that is stuck has no end, and gets nowhere.
  if (!Number.isFinite(endsAtMs)) return 0;
  return Math.min(1, Math.max(0, (clock.now() - startsAtMs) / (endsAtMs - startsAtMs)));
}
