import { randomUUID } from 'node:crypto';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { factQuestion, vendorRouter } from '../vendor-call/vendor-router';
import { createTaskCancel, createTaskQuery } from './tasks';
import { createVideoSynthesis, type TaskDetail } from './video-synthesis';
import { dashscopeWire } from './wire';

/** Videos, by jobs that are asked about. */
export default function createDashscope(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<TaskDetail>(tools.jobs, { wire: 'dashscope', newId: randomUUID, idDays: 1, linkDays: 1 });
  const { router, start, ask } = vendorRouter(dashscopeWire, around);
  start('/api/v1/services/aigc/video-generation/video-synthesis', createVideoSynthesis(tools, jobs));
  ask('get', '/api/v1/tasks', emptyList);
  ask('get', '/api/v1/tasks/:id', createTaskQuery(jobs));
  ask('post', '/api/v1/tasks/:id/cancel', createTaskCancel(jobs));
  return { wire: dashscopeWire, around, router, stores: [jobs] };
}

/** The list of tasks, which nobody reads: callers try their key by it. */
const emptyList = factQuestion(({ requestId }) => ({
  status: 200,
  body: { request_id: requestId, data: [], total: 0 },
}));
