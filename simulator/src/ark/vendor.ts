import { randomBytes } from 'node:crypto';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { factQuestion, vendorRouter } from '../vendor-call/vendor-router';
import { createGenerations, imageModelNames } from './generations';
import { videoModelNames } from './video-request';
import { createTaskQuery, createTaskRemoval } from './video-tasks';
import { createVideoTasks, type VideoDetail } from './videos';
import { arkWire } from './wire';

const TASKS = '/api/v3/contents/generations/tasks';

/** Images, whose answers are waited for, and videos, by tasks that are asked about. */
export default function createArk(tools: VendorTools, around: CallSurroundings): Vendor {
  const newId = () => `cgt-${Date.now()}-${randomBytes(4).toString('hex')}`;
  const jobs = createJobStore<VideoDetail>(tools.jobs, { wire: 'ark', newId, idDays: 7, linkDays: 1 });
  const { router, start, ask } = vendorRouter(arkWire, around);
  start('/api/v3/images/generations', createGenerations(tools));
  start(TASKS, createVideoTasks(tools, jobs));
  ask('get', '/api/v3/models', modelList);
  ask('get', `${TASKS}/:id`, createTaskQuery(jobs));
  ask('delete', `${TASKS}/:id`, createTaskRemoval(jobs));
  return { wire: arkWire, around, router, stores: [jobs] };
}

/** Models that have ended stay on the list. */
const ENDED = ['seededit-3-0-i2i-250628'];

/** `GET /api/v3/models`. */
const modelList = factQuestion(() => ({ status: 200, body: { object: 'list', data: listed() } }));

function listed() {
  const active = [...imageModelNames(), ...videoModelNames()].map((id) => ({ id, object: 'model', status: 'Active' }));
  return [...active, ...ENDED.map((id) => ({ id, object: 'model', status: 'Shutdown' }))];
}
