import type { Request } from 'express';
import type { Asset } from '../assets/asset-store';
import type { VideoStudio } from '../media/video/video-studio';
import type { JobStore } from './job-store';
import { linkExpirySeconds, type VendorJob } from './vendor-job';

/** The absolute link to a job's video, which works for the vendor's time from the end of the job. */
export function resultLink(
  request: Request,
  { jobs, job }: { jobs: JobStore<unknown>; job: VendorJob<unknown> },
): string {
  return `http://${request.get('host')}/assets/${jobs.wire}-${job.id}.mp4?exp=${linkExpirySeconds(job)}`;
}

/**
 * The file behind such a link. Nothing is kept for it but the job itself, and it is made when it is first fetched, so
 * that thousands of jobs cost no video that nobody looks at.
 */
export function findResult(
  id: string,
  { stores, studio }: { stores: JobStore<unknown>[]; studio: VideoStudio },
): Asset | undefined {
  const [, wire, jobId = ''] = /^([a-z]+)-([A-Za-z0-9-]+)\.mp4$/.exec(id) ?? [];
  const store = stores.find((candidate) => candidate.wire === wire);
  const job = store?.findFile(jobId);
  if (!store || !job?.video || store.state(job) !== 'done') return undefined;
  const { video } = job;
  return {
    expiresAtMs: linkExpirySeconds(job) * 1_000,
    fault: job.assetFault,
    open: () => studio.video(video),
  };
}
