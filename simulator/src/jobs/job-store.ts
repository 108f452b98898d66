import type { Request } from 'express';
import type { Asset } from '../assets/asset-store';
import type { Clock } from '../clock';
import { withoutDirectives } from '../faults/directive';
import type { VideoFileOrder } from '../media/video/video-order';
import type { VideoStudio } from '../media/video/video-studio';
import { ownCopy } from '../own-copy';
import type { Call, Endpoint, Reading, Reply } from '../vendor-call/contract';
import { newLongId } from '../vendor-call/long-id';
import { planJob } from './plan';
import { type JobState, linkExpirySeconds, stateOf, type VendorJob } from './vendor-job';

/** Terms that the jobs of all vendors share. */
export interface JobTerms {
  clock: Clock;
  /** Virtual milliseconds from the start of a job to its end, waiting included. */
  jobMs: number;
}

export interface JobStoreOptions {
  wire: string;
  newId: () => string;
  /** Days for which the vendor knows an id. */
  idDays: number;
  /** Days for which a result link works, from the end of the job. */
  linkDays: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A video without the words of its job, by which it is drawn. */
export type NewVideo = Omit<VideoFileOrder, 'prompt' | 'seed'> & Partial<Pick<VideoFileOrder, 'seed'>>;

export interface NewJob<Detail> {
  model: string;
  /** As sent. */
  prompt: string;
  externalTaskId?: string | undefined;
  video?: NewVideo | undefined;
  detail: Detail;
}

/** The jobs of one vendor account. */
export interface JobStore<Detail> {
  wire: string;
  add(job: NewJob<Detail>, call: Call): VendorJob<Detail>;
  /** Undefined when there is none, or its id is no longer known. */
  find(id: string): VendorJob<Detail> | undefined;
  findByExternalId(externalTaskId: string): VendorJob<Detail> | undefined;
  /** Whatever the age of its id: what keeps the file is not what keeps the job. */
  findFile(id: string): VendorJob<Detail> | undefined;
  state(job: VendorJob<Detail>): JobState;
  /** False when it is in none of these states: then nothing changes. */
  cancel(job: VendorJob<Detail>, states: ReadonlySet<JobState>): boolean;
  /** Oldest first. */
  all(): VendorJob<Detail>[];
  reset(): void;
}

/** Past this number the oldest jobs are forgotten, whatever their state. */
export const MAX_JOBS = 50_000;
const MAX_JOB_PROMPT_CHARS = 300;

/** The states of jobs that vendors cancel: only while they wait in the queue, or also while the vendor works on them. */
export const QUEUED: ReadonlySet<JobState> = new Set(['queued']);
export const UNENDED: ReadonlySet<JobState> = new Set(['queued', 'running']);

export function createJobStore<Detail>(terms: JobTerms, options: JobStoreOptions): JobStore<Detail> {
  const { clock } = terms;
  const jobs = new Map<string, VendorJob<Detail>>();
  const byExternalId = new Map<string, VendorJob<Detail>>();

  const forget = (job: VendorJob<Detail>) => {
    jobs.delete(job.id);
    if (job.externalTaskId !== undefined) byExternalId.delete(job.externalTaskId);
  };
  const isKnown = (job: VendorJob<Detail>) => clock.now() < job.submittedAtMs + options.idDays * DAY_MS;
  const known = (job: VendorJob<Detail> | undefined) => (job && isKnown(job) ? job : undefined);

  return {
    wire: options.wire,
    add(wanted, call) {
      const job = newJob(wanted, call, { ...terms, ...options });
      jobs.set(job.id, job);
      if (job.externalTaskId !== undefined) byExternalId.set(job.externalTaskId, job);
      const [oldest] = jobs.values();
      if (oldest && jobs.size > MAX_JOBS) forget(oldest);
      return job;
    },
    find: (id) => known(jobs.get(id)),
    findByExternalId: (id) => known(byExternalId.get(id)),
    findFile: (id) => jobs.get(id),
    state: (job) => stateOf(job, clock.now()),
    cancel(job, states) {
      if (!states.has(stateOf(job, clock.now()))) return false;
      job.cancelledAtMs = clock.now();
      return true;
    },
    all: () => [...jobs.values()],
    reset() {
      jobs.clear();
      byExternalId.clear();
    },
  };
}

function newJob<Detail>(
  { model, prompt, externalTaskId, video, detail }: NewJob<Detail>,
  { faults }: Call,
  { clock, newId, jobMs, linkDays }: JobTerms & JobStoreOptions,
): VendorJob<Detail> {
  const words = ownCopy(withoutDirectives(prompt).slice(0, MAX_JOB_PROMPT_CHARS));
  const drawn = video && { seed: 0, ...video, prompt: words };
  return {
    id: faults.take('long-id') ? newLongId() : newId(),
    externalTaskId,
    model,
    prompt: words,
    ...planJob(faults, { nowMs: clock.now(), jobMs, linkLifetimeMs: linkDays * DAY_MS, video: drawn }),
    cancelledAtMs: undefined,
    detail,
  };
}

interface JobEndpoint<Body, Detail> extends Reading<Body, NewJob<Detail>> {
  jobs: JobStore<Detail>;
  /** The answer to its start. */
  started(job: VendorJob<Detail>, call: Call): Reply;
}

/** Checked work that the vendor keeps as a job. */
export function jobEndpoint<Body, Detail>({
  jobs,
  started,
  ...reading
}: JobEndpoint<Body, Detail>): Endpoint<Body, NewJob<Detail>> {
  return {
    ...reading,
    start(order, call) {
      const job = jobs.add(order, call);
      return { externalId: job.id, reply: started(job, call) };
    },
  };
}

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
