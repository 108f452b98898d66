import { randomBytes } from 'node:crypto';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { factQuestion, vendorRouter } from '../vendor-call/vendor-router';
import { createVideoContent, createVideoQuery, type VideoDetail } from './video-jobs';
import { modelNames } from './video-request';
import { createVideoStart } from './videos';
import { vllmWire } from './wire';

const VIDEOS = '/v1/videos';

/** Videos, by jobs that are asked about, of a server of one's own. */
export default function createVllm(tools: VendorTools, around: CallSurroundings): Vendor {
  const newId = () => `video-${randomBytes(12).toString('hex')}`;
  const jobs = createJobStore<VideoDetail>(tools.jobs, { wire: 'vllm', newId, idDays: 1, linkDays: 1 });
  const { router, start, ask } = vendorRouter(vllmWire, around);
  ask('get', '/v1/models', modelList);
  start(VIDEOS, createVideoStart(tools, jobs));
  ask('get', `${VIDEOS}/:id`, createVideoQuery(jobs));
  ask('get', `${VIDEOS}/:id/content`, createVideoContent(jobs));
  return { wire: vllmWire, around, router, stores: [jobs] };
}

const modelList = factQuestion(() => ({
  status: 200,
  body: { object: 'list', data: modelNames.map((id) => ({ id, object: 'model', owned_by: 'vllm' })) },
}));
