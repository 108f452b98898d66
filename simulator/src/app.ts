import express, { type ErrorRequestHandler, type Express } from 'express';
import { createAssetStore } from './assets/asset-store';
import { serveAsset } from './assets/serve-asset';
import { createCallbackReceiver } from './callback-receiver/callback-receiver';
import { receiverRoutes } from './callback-receiver/routes';
import { createVirtualClock, type VirtualClock } from './clock';
import { controlRoutes } from './control/routes';
import { createFaultChooser } from './faults/chooser';
import { findResult } from './jobs/job-store';
import { createJournal } from './journal/journal';
import { createAudioStudio } from './media/audio/audio-studio';
import { createImageSource } from './media/image-source';
import { createReferenceSource } from './media/reference-source';
import { createVideoStudio } from './media/video/video-studio';
import { openVendors } from './open-vendors';
import type { VendorTools } from './vendor';
import { createOpenCalls } from './vendor-call/open-calls';
import { unknownPath } from './vendor-call/unknown-path';

export interface SimulatorOptions {
  clock?: VirtualClock;
  /** Virtual milliseconds to make an image, on top of the drawing. */
  imageMs?: number;
  /** Virtual milliseconds from the start of a video job to its end. */
  videoMs?: number;
  /** The ffmpeg that makes videos, tracks and speech. */
  ffmpegPath: string;
  /** Hosts from which links in requests may be fetched. */
  fetchHosts?: string[];
  /** The limit of each vendor. */
  requestsPerMinute?: number;
}

export interface Simulator {
  app: Express;
  /** Lets go of every request that is held (stuck, hanging, slow), so that a server can close. */
  release(): void;
  /** Ends what is still made, and removes the videos and tracks from the disk. */
  clearUp(): Promise<void>;
}

export const DEFAULT_IMAGE_MS = 80;
export const DEFAULT_VIDEO_MS = 1_000;
export const DEFAULT_FETCH_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
export const DEFAULT_REQUESTS_PER_MINUTE = 100_000;

/** The vendors, the result files, the control API and the callback receiver as one Express application. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const clock = options.clock ?? createVirtualClock();
  const closing = new AbortController();
  const journal = createJournal(clock);
  const chooser = createFaultChooser(clock);
  const assets = createAssetStore(clock);
  const receiver = createCallbackReceiver();
  const { ffmpegPath, fetchHosts = DEFAULT_FETCH_HOSTS, requestsPerMinute = DEFAULT_REQUESTS_PER_MINUTE } = options;
  const studio = createVideoStudio({ ffmpegPath });
  const audioStudio = createAudioStudio({ ffmpegPath });
  const openCalls = createOpenCalls();
  const tools: Omit<VendorTools, 'jobs'> = {
    clock,
    assets,
    bringIn: createImageSource(fetchHosts),
    reach: createReferenceSource(fetchHosts),
    videos: studio,
    audio: audioStudio,
    fetchHosts,
  };
  const { vendors, stores, resetLimits } = openVendors({
    tools,
    around: {
      clock,
      journal,
      chooser,
      imageMs: options.imageMs ?? DEFAULT_IMAGE_MS,
      openCalls,
      closing: closing.signal,
    },
    jobMs: options.videoMs ?? DEFAULT_VIDEO_MS,
    requestsPerMinute,
  });

  const app = express().disable('x-powered-by').disable('etag');
  for (const { wire, around, router, paths = [`/${wire.name}`] } of vendors) {
    app.use(paths, router, unknownPath(wire, around));
  }
  const find = (id: string) =>
    assets.find(id) ?? findResult(id, { stores, studio }) ?? firstOf(vendors, (vendor) => vendor.findFile?.(id));
  app.get('/assets/:id', serveAsset({ find, journal, clock, closing: closing.signal }));
  const seen = { clock, journal, chooser, assets, receiver, vendors, resetLimits, stores, openCalls };
  app.use('/__sim', controlRoutes({ ...seen, closing: closing.signal }));
  app.use('/__receiver', receiverRoutes(receiver, closing.signal));
  app.use(ownFault);
  return {
    app,
    release: () => closing.abort(),
    clearUp: async () => void (await Promise.all([studio.close(), audioStudio.close()])),
  };
}

function firstOf<Item, Found>(items: Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The simulator's own bug must not pass for a vendor's fault: another status, another shape. */
const ownFault: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  response
    .status(599)
    .json({ simulatorFault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
};
