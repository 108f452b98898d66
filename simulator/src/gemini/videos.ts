import { LATE_MS } from '../assets/asset-fault';
import { durationMs } from '../faults/scenarios';
import type { JobStore, NewJob } from '../jobs/job-store';
import { isBase64 } from '../media/base64';
import { inspectImage } from '../media/inspect-image';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { readBody } from './body';
import { modelOf, unknownModel } from './generate-content';
import { supports } from './models';
import { checkVideoRequest, type InlineImage, secondsOf, videoCanvas, videoPrompt } from './video-request';
import type { VideoDetail, VideoService } from './video-service';
import { invalidArgument } from './wire';

type VideoOrder = NewJob<VideoDetail>;

const FPS = 24;
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

interface VideoPlace {
  jobs: JobStore<VideoDetail>;
  service: VideoService;
}

/** `POST /v1beta/models/{model}:predictLongRunning`: the answer names the operation to ask after. */
export function createVideoStart({ jobs, service }: VideoPlace): Endpoint<JsonObject, VideoOrder> {
  return {
    read: readBody,
    describe: (request, body) => ({ model: modelOf(request), prompt: videoPrompt(body) }),
    async prepare(body, call) {
      const model = modelOf(call.request);
      if (!supports(model, 'predictLongRunning', service.name))
        throw unknownModel(model, 'predictLongRunning', call.request);
      const { instances, parameters } = checkVideoRequest(body, model, service.name);
      const [{ prompt, image, lastFrame, referenceImages = [] }] = instances;
      if (call.faults.take('policy-submit')) throw invalidArgument(REFUSED_PROMPT);
      const images = [image ?? [], lastFrame ?? [], ...referenceImages.map((reference) => reference.image)];
      for (const each of images.flat()) await checkImage(each);
      return {
        model,
        prompt,
        detail: {},
        video: {
          ...videoCanvas(parameters),
          fps: FPS,
          seconds: secondsOf(parameters),
          audio: parameters.generateAudio ?? true,
        },
      };
    },
    start(order, call) {
      const lateMs = service.name === 'vertex' ? takeLateMs(call) : 0;
      const job = jobs.add(order, call);
      job.endsAtMs += lateMs;
      return { externalId: job.id, reply: { status: 200, body: { name: service.operationName(call.request, job) } } };
    },
  };
}

/** A video that stands in the answer has no link to be late: the operation is. */
function takeLateMs({ faults }: Call): number {
  const late = faults.take('asset-late');
  return late ? durationMs(late.value, LATE_MS) : 0;
}

/** Throws the vendor's refusal of an image that it cannot read. */
async function checkImage({ bytesBase64Encoded, mimeType }: InlineImage): Promise<void> {
  if (!IMAGE_TYPES.includes(mimeType)) throw invalidArgument(`Unsupported MIME type: ${mimeType.slice(0, 60)}`);
  if (!isBase64(bytesBase64Encoded)) throw invalidArgument('Base64 decoding failed');
  const image = await inspectImage(Buffer.from(bytesBase64Encoded, 'base64'));
  if (!image) throw invalidArgument('Unable to process input image.');
}

const REFUSED_PROMPT =
  "The prompt could not be submitted. This prompt contains words that violate Google's Responsible AI practices. Try rephrasing the prompt.";
