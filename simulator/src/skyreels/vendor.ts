import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { operations } from './request';
import { createSubmit, type TaskDetail } from './submit';
import { createTaskQuery } from './task-query';
import { skyreelsWire } from './wire';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Videos, by jobs that are asked about. */
export default function createSkyreels(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<TaskDetail>({
    ...tools.jobs,
    wire: 'skyreels',
    newId: () => randomUUID(),
    idLifetimeMs: 7 * DAY_MS,
    linkLifetimeMs: DAY_MS,
  });
  const router = Router();
  for (const operation of operations) {
    const submit = createSubmit(operation, { tools, jobs });
    const query = createTaskQuery(operation, { jobs, clock: tools.clock });
    router.post(`/api/v1/video/${operation}/submit`, serveVendorCall(skyreelsWire, submit, around));
    router.get(`/api/v1/video/${operation}/task/:id`, serveQuestion(skyreelsWire, query, around));
  }
  return { wire: skyreelsWire, around, router, stores: [jobs] };
}
