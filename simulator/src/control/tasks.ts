import type { Request } from 'express';
import type { JobStore } from '../jobs/job-store';
import type { JobState, VendorJob } from '../jobs/vendor-job';

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

const MOST_LISTED = 1_000;

/** `?wire=`: the newest jobs of that vendor, or of all, oldest first. */
export function listTasks({ query }: Request, stores: JobStore<unknown>[]): { tasks: ListedTask[] } {
  const asked = stores.filter(({ wire }) => query['wire'] === undefined || query['wire'] === wire);
  const tasks = asked.flatMap((store) => store.all().map((job) => listed(store.wire, job, store.state(job))));
  return { tasks: tasks.sort((one, other) => one.submittedAt - other.submittedAt).slice(-MOST_LISTED) };
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
