import type { Request } from 'express';
import type { JobStore } from '../jobs/job-store';
import type { JobState, VendorJob } from '../jobs/vendor-job';
import { wholeNumber } from './wait';

/** A vendor's job as a test sees it. Two of one prompt, or of one external id, are a double submit. */
interface ListedTask {
  wire: string;
  id: string;
  externalTaskId: string | null;
  model: string;
  prompt: string;
  state: JobState;
  submittedAt: number;
  startsAt: number;
  /** Null for a job that is stuck. */
  endsAt: number | null;
  /** The statuses that its callbacks were answered with. */
  callbacks: number[];
}

const DEFAULT_LIMIT = 1_000;

/** `?wire=&state=&limit=`: the newest jobs that match, oldest first, and how many there are in each state of each vendor. */
export function listTasks(
  { query }: Request,
  stores: JobStore<unknown>[],
): { counts: Record<string, Partial<Record<JobState, number>>>; tasks: ListedTask[] } {
  const counts: Record<string, Partial<Record<JobState, number>>> = {};
  const matching: ListedTask[] = [];
  for (const store of stores.filter(({ wire }) => query['wire'] === undefined || query['wire'] === wire)) {
    // A vendor may keep several kinds of jobs.
    const ofWire = counts[store.wire] ?? {};
    counts[store.wire] = ofWire;
    for (const job of store.all()) {
      const state = store.state(job);
      ofWire[state] = (ofWire[state] ?? 0) + 1;
      if (query['state'] === undefined || query['state'] === state) matching.push(listed(store.wire, job, state));
    }
  }
  const limit = wholeNumber(query['limit']) ?? DEFAULT_LIMIT;
  const tasks = matching.sort((one, other) => one.submittedAt - other.submittedAt).slice(-limit);
  return { counts, tasks: limit === 0 ? [] : tasks };
}

function listed(wire: string, job: VendorJob<unknown>, state: JobState): ListedTask {
  return {
    wire,
    id: job.id,
    externalTaskId: job.externalTaskId ?? null,
    model: job.model,
    prompt: job.prompt,
    state,
    submittedAt: job.submittedAtMs,
    startsAt: job.startsAtMs,
    endsAt: Number.isFinite(job.endsAtMs) ? job.endsAtMs : null,
    callbacks: job.callbacks ?? [],
  };
}
