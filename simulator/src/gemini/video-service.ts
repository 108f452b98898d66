import type { Request } from 'express';
import type { VendorJob } from '../jobs/vendor-job';
import type { Call, JsonObject } from '../vendor-call/contract';

/** Empty: the vendor reports only a job's state and its result. */
export type VideoDetail = Record<string, never>;
export type VideoJob = VendorJob<VideoDetail>;

/** The differences between the two services by which the vendor makes videos: the Gemini API, and Vertex. */
export interface VideoService {
  name: 'gemini' | 'vertex';
  operationName(request: Request, job: Pick<VideoJob, 'id' | 'model'>): string;
  /** The response of an operation that has made a video. */
  made(job: VideoJob, call: Call): JsonObject | Promise<JsonObject>;
  /** The response of an operation whose video is withheld. */
  withheld: JsonObject;
}

export const WITHHELD = {
  raiMediaFilteredCount: 1,
  raiMediaFilteredReasons: [
    "Sorry, we can't create videos with what was asked for. Please remove it and try again. You were not charged.",
  ],
};
