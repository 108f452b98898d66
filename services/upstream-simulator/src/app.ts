import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createGenerations as createArkGenerations } from './ark/generations';
import { arkWire } from './ark/wire';
import { createAssetStore } from './assets/asset-store';
import { serveAsset } from './assets/serve-asset';
import { createVirtualClock, type VirtualClock } from './clock';
import { controlRoutes } from './control/routes';
import { createDashscopeJobs, dashscopeRoutes } from './dashscope/routes';
import { dashscopeWire } from './dashscope/wire';
import { createFaultChooser } from './faults/chooser';
import { generateContent } from './gemini/generate-content';
import { geminiWire } from './gemini/wire';
import { type JobStore, MAX_JOBS } from './jobs/job-store';
import { findResult } from './jobs/result-link';
import type { VideoTools } from './jobs/video-tools';
import { createJournal } from './journal/journal';
import { createKlingAccount } from './kling/account';
import { klingRoutes } from './kling/routes';
import { klingWire } from './kling/wire';
import { createFilmStudio } from './media/film/film-studio';
import { createPictureShelf } from './media/picture-shelf';
import { createPictureSource } from './media/picture-source';
import { createReferenceSource } from './media/reference-source';
import { createMinimaxJobs, minimaxRoutes } from './minimax/routes';
import { minimaxWire } from './minimax/wire';
import { createEdits } from './openai/edits';
import { createGenerations as createOpenaiGenerations } from './openai/generations';
import { createModerations } from './openai/moderations';
import { openaiWire } from './openai/wire';
import { sinkRoutes } from './sink/routes';
import { createCallbackSink } from './sink/sink';
import { createSkyreelsJobs, skyreelsRoutes } from './skyreels/routes';
import { skyreelsWire } from './skyreels/wire';
import type { Wire } from './vendor-call/contract';
import type { CallSurroundings } from './vendor-call/exchange';
import { createRateWindow } from './vendor-call/rate-window';
import { serveVendorCall } from './vendor-call/serve';
import { serveQuestion } from './vendor-call/serve-question';

export interface SimulatorOptions {
  clock?: VirtualClock;
  /** Virtual milliseconds to make an image, on top of the drawing. */
  imageMs?: number;
  /** Virtual milliseconds from the start of a video job to its end. */
  videoMs?: number;
  /** Video jobs that each vendor works on at once. */
  concurrentJobs?: number;
  /** The ffmpeg that makes films. */
  ffmpegPath?: string;
  /** Hosts from which links in requests may be fetched. */
  fetchHosts?: string[];
  /** For each vendor. */
  requestsPerMinute?: number;
}

export interface Simulator {
  app: Express;
  /** Lets go of every request that is held (stuck, hanging, slow), so that a server can close. */
  release(): void;
  /** Removes the films from the disk. */
  clearUp(): Promise<void>;
}

export const DEFAULT_IMAGE_MS = 80;
export const DEFAULT_VIDEO_MS = 1_000;
export const DEFAULT_CONCURRENT_JOBS = MAX_JOBS;
export const DEFAULT_FFMPEG_PATH = 'ffmpeg';
export const DEFAULT_FETCH_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
export const DEFAULT_REQUESTS_PER_MINUTE = 100_000;

/** The vendors, the result files, the control API and the callback sink as one Express application. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const clock = options.clock ?? createVirtualClock();
  const closing = new AbortController();
  const journal = createJournal(clock);
  const chooser = createFaultChooser();
  const assets = createAssetStore(clock);
  const sink = createCallbackSink();
  const fetchHosts = options.fetchHosts ?? DEFAULT_FETCH_HOSTS;
  const bringIn = createPictureSource(fetchHosts);
  const shelf = createPictureShelf();
  const studio = createFilmStudio({ ffmpegPath: options.ffmpegPath ?? DEFAULT_FFMPEG_PATH, shelf });
  const videoTools: VideoTools = { clock, bringIn, shelf, reach: createReferenceSource(fetchHosts) };
  const jobOptions = {
    clock,
    jobMs: options.videoMs ?? DEFAULT_VIDEO_MS,
    concurrentJobs: options.concurrentJobs ?? DEFAULT_CONCURRENT_JOBS,
  };

  const surroundings = (): CallSurroundings => ({
    clock,
    journal,
    chooser,
    rateWindow: createRateWindow(clock, options.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE),
    imageMs: options.imageMs ?? DEFAULT_IMAGE_MS,
    closing: closing.signal,
  });
  const openai = surroundings();
  const gemini = surroundings();
  const ark = surroundings();

  const app = express().disable('x-powered-by').disable('etag');
  app.post('/openai/v1/images/generations', serveVendorCall(openaiWire, createOpenaiGenerations({ clock }), openai));
  app.post('/openai/v1/images/edits', serveVendorCall(openaiWire, createEdits({ clock, bringIn }), openai));
  app.post('/openai/v1/moderations', serveQuestion(openaiWire, createModerations(bringIn), openai));
  app.use('/openai', unknownPath(openaiWire, openai));

  for (const version of ['v1', 'v1beta']) {
    const path = `/gemini/${version}/models/:model\\:generateContent`;
    app.post(path, serveVendorCall(geminiWire, generateContent, gemini));
  }
  app.use('/gemini', unknownPath(geminiWire, gemini));

  const arkGenerations = createArkGenerations({ clock, assets, bringIn });
  app.post('/ark/api/v3/images/generations', serveVendorCall(arkWire, arkGenerations, ark));
  app.use('/ark', unknownPath(arkWire, ark));

  const dashscope = surroundings();
  const dashscopeJobs = createDashscopeJobs(jobOptions);
  app.use('/dashscope', dashscopeRoutes(videoTools, dashscopeJobs, dashscope), unknownPath(dashscopeWire, dashscope));

  const minimax = surroundings();
  const minimaxJobs = createMinimaxJobs(jobOptions);
  app.use(
    '/minimax',
    minimaxRoutes({ ...videoTools, studio }, minimaxJobs, minimax),
    unknownPath(minimaxWire, minimax),
  );

  const kling = surroundings();
  const klingAccount = createKlingAccount(jobOptions);
  app.use('/kling', klingRoutes(videoTools, klingAccount, kling), unknownPath(klingWire, kling));

  const skyreels = surroundings();
  const skyreelsJobs = createSkyreelsJobs(jobOptions);
  app.use('/skyreels', skyreelsRoutes(videoTools, skyreelsJobs, skyreels), unknownPath(skyreelsWire, skyreels));

  const stores: JobStore<unknown>[] = [
    dashscopeJobs,
    minimaxJobs,
    klingAccount.videos,
    klingAccount.elements,
    skyreelsJobs,
  ];
  const find = (id: string) => assets.find(id) ?? findResult(id, { stores, studio });
  app.get('/assets/:id', serveAsset({ find, journal, clock, closing: closing.signal }));
  const rateWindows = [openai, gemini, ark, dashscope, minimax, kling, skyreels].map(({ rateWindow }) => rateWindow);
  const controlled = { clock, journal, chooser, assets, sink, rateWindows, stores, closing: closing.signal };
  app.use('/__sim', controlRoutes(controlled));
  app.use('/__sink', sinkRoutes(sink, closing.signal));
  app.use(ownFault);
  return { app, release: () => closing.abort(), clearUp: studio.close };
}

/** A path the vendor does not have: journalled, because it is a mistake worth seeing, and refused in its words. */
function unknownPath(wire: Wire, { journal, rateWindow }: CallSurroundings): RequestHandler {
  return (request, response) => {
    const path = request.originalUrl.replace(/\?.*$/s, '');
    const entry = journal.open({
      wire: wire.name,
      operation: 'unknown',
      method: request.method,
      path: path.slice(0, 500),
    });
    const reply = wire.unknownPath(request.method, path);
    Object.assign(entry, { replyStatus: reply.status, ending: 'replied', warnings: ['unknown path'] });
    response.set(wire.replyHeaders(wire.newRequestId(), rateWindow.state())).status(reply.status).json(reply.body);
    journal.touch();
  };
}

/** The simulator's own bug must not pass for a vendor's fault: another status, another shape. */
const ownFault: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  response
    .status(599)
    .json({ simulatorFault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
};
