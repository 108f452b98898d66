import type { Call, Endpoint, Reading, Reply } from '../vendor-call/contract';
import type { JobStore, NewJob } from './job-store';
import type { VendorJob } from './vendor-job';

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
