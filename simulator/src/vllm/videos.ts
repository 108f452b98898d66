import type { Request } from 'express';
import { type JobStore, jobEndpoint, type NewJob } from '../jobs/job-store';
import { ImageSourceError } from '../media/image-source';
import { inspectImage } from '../media/inspect-image';
import type { VideoTools } from '../vendor';
import { type Endpoint, Refusal } from '../vendor-call/contract';
import { type Form, readForm } from '../vendor-call/form';
import { describeVideo, type VideoDetail } from './video-jobs';
import { checkVideoRequest, modelNames, type VideoRequest } from './video-request';
import { badRequest, detail, noModel } from './wire';

type VideoOrder = NewJob<VideoDetail>;

const MAX_FORM_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 50 * 1024 * 1024;

/** `POST /v1/videos`. */
export function createVideoStart(tools: VideoTools, jobs: JobStore<VideoDetail>): Endpoint<Form, VideoOrder> {
  return jobEndpoint({
    jobs,
    read: (request: Request) =>
      readForm(request, {
        maxBytes: MAX_FORM_BYTES,
        tooLarge: () => new Refusal(detail(413, 'Request Entity Too Large')),
        broken: () => new Refusal(detail(400, 'There was an error parsing the body')),
      }),
    describe: (_request, { fields }) => ({ model: modelIn(fields), prompt: fields['prompt'] ?? '' }),
    async prepare(form, call) {
      const model = modelIn(form.fields);
      if (!modelNames.includes(model)) throw new Refusal(noModel(model));
      const wanted = checkVideoRequest(form, model, call.warn);
      await checkFrame(wanted, tools);
      return orderOf(wanted, model);
    },
    started: (job) => ({ status: 200, body: describeVideo(job, jobs) }),
  });
}

/** A request without a name gets the model that the server runs. */
function modelIn({ model = modelNames[0] ?? '' }: Record<string, string>): string {
  return model;
}

function orderOf({ prompt, width, height, seconds, fps, seed, sound }: VideoRequest, model: string): VideoOrder {
  return {
    model,
    prompt,
    detail: { size: `${width}x${height}`, seconds: String(seconds) },
    video: { width, height, fps, seconds, audio: sound, seed },
  };
}

/** Throws the server's refusal of an image that it cannot have or read. */
async function checkFrame({ image }: VideoRequest, { bringIn }: VideoTools): Promise<void> {
  if (!image) return;
  const bytes = 'bytes' in image ? image.bytes : await fetched(image.link, bringIn);
  if (!(await inspectImage(bytes))) throw badRequest('cannot identify image file', 'input_reference');
}

async function fetched(link: string, bringIn: VideoTools['bringIn']): Promise<Buffer> {
  try {
    return (await bringIn(link, MAX_IMAGE_BYTES)).bytes;
  } catch (error) {
    throw error instanceof ImageSourceError ? badRequest(error.message, 'image_reference') : error;
  }
}
