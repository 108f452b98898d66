import { Router } from 'express';
import { findTrackFile } from '../music/music-files';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { analyses, createAnalysis } from './analyses';
import { creations } from './creations';
import { edits } from './edits';
import { createFetch } from './fetch';
import { createTtapiJobs } from './jobs';
import { createSubmit } from './submit';
import { createUpload } from './uploads';
import { ttapiWire } from './wire';

/** Tracks, by jobs that are asked about. */
export default function createTtapi(
  { clock, audio: studio, fetchHosts, ...own }: VendorTools,
  around: CallSurroundings,
): Vendor {
  const tools = { clock, studio, fetchHosts };
  const jobs = createTtapiJobs(own.jobs);
  const router = Router();
  for (const operation of [...creations, ...edits]) {
    router.post(`/suno/v1/${operation.action}`, serveVendorCall(ttapiWire, createSubmit(operation, jobs), around));
  }
  router.post('/suno/v1/upload', serveVendorCall(ttapiWire, createUpload({ tools, jobs }), around));
  for (const [path, analyse] of Object.entries(analyses)) {
    router.post(`/suno/v1/${path}`, serveQuestion(ttapiWire, createAnalysis(analyse, jobs), around));
  }
  for (const version of ['v1', 'v2']) {
    const fetch = serveQuestion(ttapiWire, createFetch(jobs), around);
    router.route(`/suno/${version}/fetch`).get(fetch).post(fetch);
  }
  return { wire: ttapiWire, around, router, stores: [jobs], findFile: (name) => findTrackFile(name, { jobs, studio }) };
}
