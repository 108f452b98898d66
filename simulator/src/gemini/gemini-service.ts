import type { Request } from 'express';
import type { Call, JsonObject } from '../vendor-call/contract';
import { type VideoJob, type VideoService, WITHHELD } from './video-service';

/** The Gemini API: a result is a link, which needs the key. */
export const geminiService: VideoService = {
  name: 'gemini',
  operationName: (_request, { model, id }) => `models/${model}/operations/${id}`,
  made: (job, call) => response(samples(job, call)),
  withheld: response(WITHHELD),
};

function response(generateVideoResponse: JsonObject): JsonObject {
  return {
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
    generateVideoResponse,
  };
}

function samples(job: VideoJob, { faults, request }: Call): JsonObject {
  if (faults.take('wrong-type')) return { generatedSamples: [{ video: { uri: 42 } }] };
  if (faults.take('empty-result')) return { generatedSamples: [] };
  if (faults.take('missing-url')) return { generatedSamples: [{ video: {} }] };
  return { generatedSamples: [{ video: { uri: fileLink(request, job.id) } }] };
}

function fileLink(request: Request, id: string): string {
  const version = request.path.split('/')[1];
  return `http://${request.get('host')}/gemini/${version}/files/${id}:download?alt=media`;
}
