import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import { createJobStore, type JobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { countTokens } from './count-tokens';
import { geminiService } from './gemini-service';
import { createGenerateContent } from './generate-content';
import { modelQuestion, publisherModelQuestion } from './models';
import { createVertexService } from './vertex-service';
import { createFileDownload, createOperationFetch, createOperationQuery } from './video-operations';
import type { VideoDetail } from './video-service';
import { createVideoStart } from './videos';
import { geminiWire } from './wire';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Texts and images, whose answers are waited for, and videos, by operations that are asked about. */
export default function createGemini(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobs(tools.jobs);
  const router = Router();
  const start = createVideoStart(tools, { jobs, service: geminiService });
  for (const version of ['v1', 'v1beta']) {
    const model = `/${version}/models/:model`;
    for (const method of ['generateContent', 'streamGenerateContent'] as const) {
      router.post(`${model}\\:${method}`, serveVendorCall(geminiWire, createGenerateContent(method), around));
    }
    router.post(`${model}\\:countTokens`, serveQuestion(geminiWire, countTokens, around));
    router.get([`/${version}/models`, model], serveQuestion(geminiWire, modelQuestion, around));
    router.post(`${model}\\:predictLongRunning`, serveVendorCall(geminiWire, start, around));
    router.get(`${model}/operations/:id`, serveQuestion(geminiWire, createOperationQuery(jobs, geminiService), around));
    router.get(`/${version}/files/:file\\:download`, serveQuestion(geminiWire, createFileDownload(jobs), around));
  }
  serveVertex(router, { tools, around, jobs });
  return { wire: geminiWire, around, router, stores: [jobs] };
}

interface Serving {
  tools: VendorTools;
  around: CallSurroundings;
  jobs: JobStore<VideoDetail>;
}

/** The vendor's other service, in which videos go on. Whoever has a key of it may leave out the project at a start. */
function serveVertex(router: Router, { tools, around, jobs }: Serving): void {
  const service = createVertexService(tools.videos);
  const start = serveVendorCall(geminiWire, createVideoStart(tools, { jobs, service }), around);
  const look = serveQuestion(geminiWire, createOperationFetch(jobs, service), around);
  for (const version of ['v1', 'v1beta1']) {
    const models = `/${version}/publishers/google/models`;
    const ofProject = `/${version}/projects/:project/locations/:location/publishers/google/models/:model`;
    router.get(models, serveQuestion(geminiWire, publisherModelQuestion, around));
    router.post([`${models}/:model\\:predictLongRunning`, `${ofProject}\\:predictLongRunning`], start);
    router.post(`${ofProject}\\:fetchPredictOperation`, look);
  }
}

/** The vendor keeps videos for two days. */
function createJobs(options: VendorTools['jobs']): JobStore<VideoDetail> {
  return createJobStore({
    ...options,
    wire: 'gemini',
    newId: () => randomBytes(6).toString('hex'),
    idLifetimeMs: 2 * DAY_MS,
    linkLifetimeMs: 2 * DAY_MS,
  });
}
