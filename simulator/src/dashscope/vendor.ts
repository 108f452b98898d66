import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createTaskCancel, createTaskList, createTaskQuery } from './tasks';
import { createVideoSynthesis, type TaskDetail } from './video-synthesis';
import { dashscopeWire } from './wire';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Videos, by jobs that are asked about. */
export default function createDashscope(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<TaskDetail>({
    ...tools.jobs,
    wire: 'dashscope',
    newId: () => randomUUID(),
    idLifetimeMs: DAY_MS,
    linkLifetimeMs: DAY_MS,
  });
  const router = Router();
  const synthesis = serveVendorCall(dashscopeWire, createVideoSynthesis(tools, jobs), around);
  router.post('/api/v1/services/aigc/video-generation/video-synthesis', synthesis);
  router.get('/api/v1/tasks', serveQuestion(dashscopeWire, createTaskList(jobs), around));
  router.get('/api/v1/tasks/:id', serveQuestion(dashscopeWire, createTaskQuery(jobs), around));
  router.post('/api/v1/tasks/:id/cancel', serveQuestion(dashscopeWire, createTaskCancel(jobs), around));
  return { wire: dashscopeWire, around, router, stores: [jobs] };
}
