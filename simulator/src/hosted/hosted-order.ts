import { withoutDirectives } from '../faults/directive';
import type { NewVideo } from '../jobs/job-store';
import type { Canvas } from '../media/drawing';
import { ImageSourceError } from '../media/image-source';
import { inspectImage } from '../media/inspect-image';
import type { ImageOrder } from '../media/render';
import { ownCopy } from '../own-copy';
import type { VideoTools } from '../vendor';
import type { JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import type { HostedModel, InputFault } from './hosted-model';

/** The results that a job of a hosted model makes. No file of its caller's is in it. */
export type HostedOrder = { images: readonly ImageOrder[] } | { video: NewVideo };

/** Limit on a prompt: more is not drawn. */
const MAX_PROMPT_CHARS = 2_000;

const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
const FPS = 24;
const DEFAULT_SECONDS = 5;

/** Checks an input, fetches what it names, and says what is to be made of it; or what is wrong with it. */
export async function orderOf(
  input: JsonObject,
  model: HostedModel,
  tools: VideoTools,
): Promise<HostedOrder | { fault: InputFault }> {
  const fault = model.check(input);
  if (fault) return { fault };
  const brought = await bringIn(input, model, tools);
  if ('fault' in brought) return brought;
  const clip = await reachClips(input, model, tools);
  if (clip) return { fault: clip };
  const [first] = brought.images;
  const canvas = model.canvas(input, first);
  const prompt = ownCopy(withoutDirectives(textOf(input['prompt'])).slice(0, MAX_PROMPT_CHARS));
  const seed = numberOr(input['seed'], 0);
  if (model.makes === 'images') {
    const count = numberOr(input['num_images'] ?? input['num_outputs'] ?? input['number_of_images'], 1);
    const format = formatOf(input['output_format']);
    const order = { ...canvas, prompt, format };
    return { images: Array.from({ length: count }, (_, index) => ({ ...order, seed: seed + index })) };
  }
  return {
    video: {
      ...canvas,
      fps: FPS,
      seconds: secondsOf(input['duration']),
      audio: input['generate_audio'] !== false,
      seed,
    },
  };
}

type BroughtIn = { images: Canvas[] } | { fault: InputFault };

async function bringIn(input: JsonObject, model: HostedModel, tools: VideoTools): Promise<BroughtIn> {
  const images: Canvas[] = [];
  for (const field of model.imageFields) {
    for (const link of [input[field] ?? []].flat().map(textOf)) {
      const brought = await tools.bringIn(link, MAX_IMAGE_BYTES).catch((error: unknown) => {
        if (error instanceof ImageSourceError) return { problem: error.message };
        throw error;
      });
      if ('problem' in brought) {
        return { fault: { path: [field], type: 'file_download_error', message: brought.problem } };
      }
      const image = await inspectImage(brought.bytes);
      if (!image) return { fault: { path: [field], type: 'image_load_error', message: 'Failed to load the image' } };
      images.push(image);
    }
  }
  return { images };
}

async function reachClips(input: JsonObject, model: HostedModel, tools: VideoTools): Promise<InputFault | undefined> {
  for (const field of model.clipFields) {
    for (const link of [input[field] ?? []].flat().map(textOf)) {
      const found = await tools.reach(link);
      if ('problem' in found) return { path: [field], type: 'file_download_error', message: found.problem };
    }
  }
  return undefined;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** A number, or one as text, which may end in its unit; the model chooses where it is neither. */
function secondsOf(value: unknown): number {
  const seconds = Number(String(value).replace(/s$/, ''));
  return Number.isInteger(seconds) && seconds > 0 ? seconds : DEFAULT_SECONDS;
}

function formatOf(value: unknown): ImageOrder['format'] {
  if (value === 'webp') return 'webp';
  return value === 'jpeg' || value === 'jpg' ? 'jpeg' : 'png';
}
