import { randomUUID } from 'node:crypto';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
import { operations } from './request';
import { createSubmit, type TaskDetail } from './submit';
import { createTaskQuery } from './task-query';
import { skyreelsWire } from './wire';

/** Videos, by jobs that are asked about. */
export default function createSkyreels(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<TaskDetail>(tools.jobs, { wire: 'skyreels', newId: randomUUID, idDays: 7, linkDays: 1 });
  const { router, start, ask } = vendorRouter(skyreelsWire, around);
  for (const operation of operations) {
    const path = `/api/v1/video/${operation}`;
    start(`${path}/submit`, createSubmit(operation, { tools, jobs }));
    ask('get', `${path}/task/:id`, createTaskQuery(operation, { jobs, clock: tools.clock }));
  }
  return { wire: skyreelsWire, around, router, stores: [jobs] };
}
