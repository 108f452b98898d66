import { fileInAnswer } from '../assets/file-in-answer';
import { share } from '../faults/scenarios';
import type { Canvas } from '../media/drawing';
import { renderImage } from '../media/render';
import type { Call, JsonObject, Reply } from '../vendor-call/contract';
import type { ResolvedParameters } from './parameters';
import { moderationBlocked } from './wire';

/** A checked order of images, whichever endpoint it came through. */
export interface ImageJob extends ResolvedParameters, Canvas {
  /** Without fault directives. */
  prompt: string;
  inputs: Canvas[];
  createdAtMs: number;
}

/** Draws the images and answers in the vendor's shape. */
export async function runImageJob(job: ImageJob, { requestId, faults }: Call): Promise<Reply> {
  if (faults.take('policy-result')) return moderationBlocked(requestId);
  const partial = faults.take('partial');
  const count = partial ? Math.min(job.count, share(partial.value).succeed) : job.count;

  const images: Buffer[] = [];
  for (let seed = 0; seed < count; seed += 1) images.push(await renderImage(imageOrder(job, seed)));

  const body = {
    created: Math.floor(job.createdAtMs / 1_000),
    background: job.transparent ? 'transparent' : 'opaque',
    data: images.map((image): JsonObject => ({ b64_json: fileInAnswer(image, faults).toString('base64') })),
    output_format: job.format,
    quality: job.quality,
    size: `${job.width}x${job.height}`,
    usage: usageOf(job, count),
  };
  if (faults.take('empty-result')) return { status: 200, body: { ...body, data: [] } };
  if (faults.take('missing-url')) return { status: 200, body: { ...body, data: body.data.map(() => ({})) } };
  if (faults.take('wrong-type'))
    return { status: 200, body: { ...body, data: body.data.map(() => ({ b64_json: 42 })), usage: 'none' } };
  return { status: 200, body };
}

function imageOrder(job: ImageJob, seed: number) {
  return {
    prompt: job.prompt,
    seed,
    width: job.width,
    height: job.height,
    format: job.format,
    quality: job.compression,
    transparent: job.transparent,
  };
}

const PIXELS_OF_TABLE = 1_048_576;
const BYTES_PER_TEXT_TOKEN = 4;

/** The vendor publishes the table for 1024x1024 only; other sizes are scaled by area here. */
function usageOf(job: ImageJob, count: number): JsonObject {
  const perImage = Math.ceil((job.tokensPerMegapixel * job.width * job.height) / PIXELS_OF_TABLE);
  const textTokens = Math.ceil(Buffer.byteLength(job.prompt) / BYTES_PER_TEXT_TOKEN);
  const imageTokens = job.inputs.reduce((sum, input) => sum + inputImageTokens(input), 0);
  const outputTokens = perImage * count;
  return {
    input_tokens: textTokens + imageTokens,
    input_tokens_details: { text_tokens: textTokens, image_tokens: imageTokens },
    output_tokens: outputTokens,
    output_tokens_details: { text_tokens: 0, image_tokens: outputTokens },
    total_tokens: textTokens + imageTokens + outputTokens,
  };
}

const TILE_PIXELS = 512;
const TOKENS_PER_TILE = 129;
const TOKENS_PER_INPUT = 65;

/** Scaled down to a short side of 512, then a price for each tile of 512x512: how the vendor counts its first GPT image. */
function inputImageTokens({ width, height }: Canvas): number {
  const scale = Math.min(1, TILE_PIXELS / Math.min(width, height));
  const tiles = Math.ceil((width * scale) / TILE_PIXELS) * Math.ceil((height * scale) / TILE_PIXELS);
  return TOKENS_PER_INPUT + TOKENS_PER_TILE * tiles;
}
