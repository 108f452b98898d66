import type { Router } from 'express';
import type { Asset, AssetStore } from './assets/asset-store';
import type { Clock } from './clock';
import type { JobStore, JobTerms } from './jobs/job-store';
import type { AudioStudio } from './media/audio/audio-studio';
import type { ImageSource } from './media/image-source';
import type { ReferenceSource } from './media/reference-source';
import type { VideoStudio } from './media/video/video-studio';
import type { Wire } from './vendor-call/contract';
import type { CallSurroundings } from './vendor-call/exchange';

/** One vendor as the application mounts it, below `/{wire.name}`. */
export interface Vendor {
  wire: Wire;
  around: CallSurroundings;
  router: Router;
  /** Where it keeps its asynchronous jobs. */
  stores: JobStore<unknown>[];
  /** Where it is mounted, when that is not `/{wire.name}` alone. */
  paths?: string[];
  /** A result file that no job's video is. */
  findFile?: (id: string) => Asset | undefined;
}

/** Tools that vendors are made of; each takes those it needs. */
export interface VendorTools extends VideoTools {
  assets: AssetStore;
  videos: VideoStudio;
  audio: AudioStudio;
  /** Hosts from which links in requests may be fetched. */
  fetchHosts: string[];
  jobs: JobTerms;
}

/** The default export of `<name>/vendor.ts`. */
export type CreateVendor = (tools: VendorTools, around: CallSurroundings) => Vendor;

/** Tools that every video vendor works with. */
export interface VideoTools {
  clock: Clock;
  /** Fetches an image that a request names. */
  bringIn: ImageSource;
  /** Looks whether another file that a request names is there. */
  reach: ReferenceSource;
}
