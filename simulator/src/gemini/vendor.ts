import { randomBytes } from 'node:crypto';
import { createJobStore, type JobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { type VendorRouter, vendorRouter } from '../vendor-call/vendor-router';
import { countTokens } from './count-tokens';
import { geminiService } from './gemini-service';
import { createGenerateContent } from './generate-content';
import { modelQuestion, publisherModelQuestion } from './models';
import { createVertexService } from './vertex-service';
import { createFileDownload, createOperationFetch, createOperationQuery } from './video-operations';
import type { VideoDetail } from './video-service';
import { createVideoStart } from './videos';
import { geminiWire } from './wire';

/** Texts and images, whose answers are waited for, and videos, by operations that are asked about. */
export default function createGemini(tools: VendorTools, around: CallSurroundings): Vendor {
  const newId = () => randomBytes(6).toString('hex');
  const jobs = createJobStore<VideoDetail>(tools.jobs, { wire: 'gemini', newId, idDays: 2, linkDays: 2 });
  const routes = vendorRouter(geminiWire, around);
  const { router, start, ask } = routes;
  const videoStart = createVideoStart({ jobs, service: geminiService });
  for (const version of ['v1', 'v1beta']) {
    const model = `/${version}/models/:model`;
    for (const method of ['generateContent', 'streamGenerateContent'] as const) {
      start(`${model}\\:${method}`, createGenerateContent(method));
    }
    ask('post', `${model}\\:countTokens`, countTokens);
    ask('get', [`/${version}/models`, model], modelQuestion);
    start(`${model}\\:predictLongRunning`, videoStart);
    ask('get', `${model}/operations/:id`, createOperationQuery(jobs, geminiService));
    ask('get', `/${version}/files/:file\\:download`, createFileDownload(jobs));
  }
  serveVertex(routes, tools, jobs);
  return { wire: geminiWire, around, router, stores: [jobs] };
}

/** The vendor's other service, in which videos go on. Whoever has a key of it may leave out the project at a start. */
function serveVertex({ start, ask }: VendorRouter, tools: VendorTools, jobs: JobStore<VideoDetail>): void {
  const service = createVertexService(tools.videos);
  for (const version of ['v1', 'v1beta1']) {
    const models = `/${version}/publishers/google/models`;
    const ofProject = `/${version}/projects/:project/locations/:location/publishers/google/models/:model`;
    ask('get', models, publisherModelQuestion);
    const starts = [`${models}/:model\\:predictLongRunning`, `${ofProject}\\:predictLongRunning`];
    start(starts, createVideoStart({ jobs, service }));
    ask('post', `${ofProject}\\:fetchPredictOperation`, createOperationFetch(jobs, service));
  }
}
