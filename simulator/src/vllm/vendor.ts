import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createVideoContent, createVideoQuery, type VideoDetail } from './video-jobs';
import { modelNames } from './video-request';
import { createVideoStart } from './videos';
import { vllmWire } from './wire';

const DAY_MS = 24 * 60 * 60 * 1_000;
const VIDEOS = '/v1/videos';

/** Videos, by jobs that are asked about, of a server of one's own. */
export default function createVllm(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<VideoDetail>({
    ...tools.jobs,
    wire: 'vllm',
    newId: () => `video-${randomBytes(12).toString('hex')}`,
    idLifetimeMs: DAY_MS,
    linkLifetimeMs: DAY_MS,
  });
  const router = Router();
  const question = <Subject>(about: Question<Subject>) => serveQuestion(vllmWire, about, around);
  router.get('/v1/models', question(modelList));
  router.post(VIDEOS, serveVendorCall(vllmWire, createVideoStart(tools, jobs), around));
  router.get(`${VIDEOS}/:id`, question(createVideoQuery(jobs)));
  router.get(`${VIDEOS}/:id/content`, question(createVideoContent(jobs)));
  return { wire: vllmWire, around, router, stores: [jobs] };
}

const modelList: Question<undefined> = {
  operation: 'question',
  find: () => undefined,
  about: () => ({ model: '', prompt: '' }),
  answer: () => ({
    status: 200,
    body: { object: 'list', data: modelNames.map((id) => ({ id, object: 'model', owned_by: 'vllm' })) },
  }),
};
