import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import { createJobStore, type JobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createGenerations } from './generations';
import { modelList } from './model-list';
import { createTaskList, createTaskQuery, createTaskRemoval } from './video-tasks';
import { createVideoTasks, type VideoDetail } from './videos';
import { arkWire } from './wire';

const DAY_MS = 24 * 60 * 60 * 1_000;
const TASKS = '/api/v3/contents/generations/tasks';

/** Images, whose answers are waited for, and videos, by tasks that are asked about. */
export default function createArk(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobs(tools.jobs);
  const router = Router();
  router.post('/api/v3/images/generations', serveVendorCall(arkWire, createGenerations(tools), around));
  router.post(TASKS, serveVendorCall(arkWire, createVideoTasks(tools, jobs), around));
  router.get('/api/v3/models', serveQuestion(arkWire, modelList, around));
  router.get(TASKS, serveQuestion(arkWire, createTaskList(jobs), around));
  router.get(`${TASKS}/:id`, serveQuestion(arkWire, createTaskQuery(jobs), around));
  router.delete(`${TASKS}/:id`, serveQuestion(arkWire, createTaskRemoval(jobs), around));
  return { wire: arkWire, around, router, stores: [jobs] };
}

function createJobs(options: VendorTools['jobs']): JobStore<VideoDetail> {
  return createJobStore({
    ...options,
    wire: 'ark',
    newId: () => `cgt-${Date.now()}-${randomBytes(4).toString('hex')}`,
    idLifetimeMs: 7 * DAY_MS,
    linkLifetimeMs: DAY_MS,
  });
}
