import type { Request } from 'express';
import type { Asset } from '../assets/asset-store';
import type { FilmStudio } from '../media/film/film-studio';
import type { JobStore } from './job-store';
import type { VendorJob } from './vendor-job';

/** The absolute link to a job's film, which lives for the vendor's time from the end of the job. */
export function resultLink(
  request: Request,
  { jobs, job, marked = false }: { jobs: JobStore<unknown>; job: VendorJob<unknown>; marked?: boolean },
): string {
  const name = `${jobs.wire}-${job.id}${marked ? '-marked' : ''}.mp4`;
  return `http://${request.get('host')}/assets/${name}?exp=${expirySeconds(job, jobs.linkLifetimeMs)}`;
}

/**
 * The file behind such a link. Nothing is kept for it but the job itself, and it is made when it is first fetched, so
 * that thousands of jobs cost no film that nobody looks at.
 */
export function findResult(
  id: string,
  { stores, studio }: { stores: JobStore<unknown>[]; studio: FilmStudio },
): Asset | undefined {
  const [, wire, jobId = '', marked] = /^([a-z]+)-([A-Za-z0-9-]+?)(-marked)?\.mp4$/.exec(id) ?? [];
  const store = stores.find((candidate) => candidate.wire === wire);
  const job = store?.findFile(jobId);
  if (!store || !job?.film || store.state(job) !== 'done') return undefined;
  const film = { ...job.film, watermark: job.film.watermark || marked !== undefined };
  return {
    expiresAtMs: expirySeconds(job, store.linkLifetimeMs) * 1_000,
    fault: job.assetFault,
    open: () => studio.film(film),
  };
}

function expirySeconds(job: VendorJob<unknown>, lifetimeMs: number): number {
  return Math.ceil((job.endsAtMs + lifetimeMs) / 1_000);
}
