import { findTrackFile } from '../music/music-files';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
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
  const { router, start, ask } = vendorRouter(ttapiWire, around);
  for (const operation of [...creations, ...edits]) {
    start(`/suno/v1/${operation.action}`, createSubmit(operation, jobs));
  }
  start('/suno/v1/upload', createUpload({ tools, jobs }));
  for (const [path, analyse] of Object.entries(analyses)) {
    ask('post', `/suno/v1/${path}`, createAnalysis(analyse, jobs));
  }
  for (const version of ['v1', 'v2']) {
    for (const method of ['get', 'post'] as const) ask(method, `/suno/${version}/fetch`, createFetch(jobs));
  }
  return { wire: ttapiWire, around, router, stores: [jobs], findFile: (name) => findTrackFile(name, { jobs, studio }) };
}
