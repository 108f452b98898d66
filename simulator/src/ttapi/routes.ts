import { Router } from 'express';
import type { MusicTools } from '../music/music-tools';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { analyses, createAnalysis } from './analyses';
import { creations } from './creations';
import { edits } from './edits';
import { createFetch } from './fetch';
import type { SunoJobs } from './jobs';
import { createSubmit } from './submit';
import { createUpload } from './uploads';
import { ttapiWire } from './wire';

/** Below `/ttapi`. */
export function ttapiRoutes(tools: MusicTools, jobs: SunoJobs, around: CallSurroundings): Router {
  const router = Router();
  for (const operation of [...creations, ...edits]) {
    const submit = createSubmit(operation, { tools, jobs });
    router.post(`/suno/v1/${operation.action}`, serveVendorCall(ttapiWire, submit, around));
  }
  router.post('/suno/v1/upload', serveVendorCall(ttapiWire, createUpload({ tools, jobs }), around));
  for (const [path, analyse] of Object.entries(analyses)) {
    router.post(`/suno/v1/${path}`, serveQuestion(ttapiWire, createAnalysis(analyse, jobs), around));
  }
  for (const version of ['v1', 'v2']) {
    const fetch = serveQuestion(ttapiWire, createFetch(jobs), around);
    router.route(`/suno/${version}/fetch`).get(fetch).post(fetch);
  }
  return router;
}
