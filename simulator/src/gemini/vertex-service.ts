import type { Request } from 'express';
import { GONE } from '../assets/file-in-answer';
import type { VideoStudio } from '../media/video/video-studio';
import type { Call, JsonObject } from '../vendor-call/contract';
import { type VideoJob, type VideoService, WITHHELD } from './video-service';

/** Whoever starts by a key alone names no project: the vendor knows it by the key. */
const PROJECT = 'sim-project';
const LOCATION = 'us-central1';

/** Vertex: no bucket is ever named here, so that the video stands in the answer itself. */
export function createVertexService(videos: VideoStudio): VideoService {
  return {
    name: 'vertex',
    operationName({ params }: Request, { model, id }) {
      const { project = PROJECT, location = LOCATION } = params;
      return `projects/${project}/locations/${location}/publishers/google/models/${model}/operations/${id}`;
    },
    made: async (job, call) => response({ raiMediaFilteredCount: 0, videos: await samples(job, call, videos) }),
    withheld: response(WITHHELD),
  };
}

function response(fields: JsonObject): JsonObject {
  return { '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse', ...fields };
}

async function samples(job: VideoJob, { faults }: Call, videos: VideoStudio): Promise<JsonObject[]> {
  const mimeType = 'video/mp4';
  if (faults.take('wrong-type')) return [{ bytesBase64Encoded: 42, mimeType }];
  if (faults.take('empty-result') || !job.video) return [];
  if (faults.take('missing-url')) return [{ mimeType }];
  const isGone = job.assetFault?.name === 'asset-410';
  const bytes = isGone ? GONE : await (await videos.video(job.video)).bytes();
  return [{ bytesBase64Encoded: bytes.toString('base64'), mimeType }];
}
