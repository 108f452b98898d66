import type { AssetStore } from '../assets/asset-store';
import { fileInAnswer } from '../assets/file-in-answer';
import type { Clock } from '../clock';
import { withoutDirectives } from '../faults/directive';
import { share } from '../faults/scenarios';
import { createDice } from '../media/dice';
import type { Canvas } from '../media/drawing';
import { type ImageSource, ImageSourceError } from '../media/image-source';
import { inspectImage } from '../media/inspect-image';
import { renderImage } from '../media/render';
import { type Call, type Endpoint, type JsonObject, Refusal, type Reply } from '../vendor-call/contract';
import { bodyCheck, jsonReader } from '../vendor-call/json-body';
import { textOf } from '../vendor-call/request-body';
import type { Fields } from '../vendor-call/shape';
import { resolveSize, type SizeRules, sizesOf40, sizesOf50, sizesOfPro } from './size';
import { bodyRefused, invalidParameter, noModel, outputBlocked } from './wire';

interface GenerationsTools {
  clock: Clock;
  assets: AssetStore;
  bringIn: ImageSource;
}

interface ImageJob extends Canvas {
  model: string;
  /** Without fault directives. */
  prompt: string;
  seed: number;
  count: number;
  asLinks: boolean;
}

interface ImageModel {
  sizes: SizeRules;
  inputs: number;
  /** Knows no several images in one answer, and refuses to hear of them. */
  isSingle?: true;
}

/** As `@ai-sdk/bytedance` 1.0.29 and public reports of autumn 2026 have them (packages/upstreams/src/ark-images/README.md). */
const models = new Map<string, ImageModel>([
  ['seedream-4-0-250828', { sizes: sizesOf40, inputs: 10 }],
  ['seedream-4-0-20260415', { sizes: sizesOf40, inputs: 10 }],
  ['seedream-5-0-260128', { sizes: sizesOf50, inputs: 14 }],
  ['dola-seedream-5-0-pro-260628', { sizes: sizesOfPro, inputs: 10, isSingle: true }],
]);

export function imageModelNames(): string[] {
  return [...models.keys()];
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_INPUT_BYTES = 10 * 1024 * 1024;
/** Inputs and outputs of one call together. */
const MAX_IMAGES = 15;
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;
const OUTPUT_TOKENS_PER_IMAGE = 4_096;

/** `POST /api/v3/images/generations`. */
export function createGenerations(tools: GenerationsTools): Endpoint<JsonObject, ImageJob> {
  return {
    read: readBody,
    describe: (_request, body) => ({ model: textOf(body['model']), prompt: textOf(body['prompt']) }),
    prepare: (body, call) => prepare(checkRequest(body, call), { tools, requestId: call.requestId }),
    run: (job, call) => run(job, { tools, call }),
  };
}

const readBody = jsonReader(MAX_BODY_BYTES, (requestId) =>
  invalidParameter('body', 'the request body is not valid JSON, or too large', requestId),
);

async function prepare(
  request: ImagesRequest,
  { tools, requestId }: { tools: GenerationsTools; requestId: string },
): Promise<ImageJob> {
  const model = models.get(request.model);
  if (!model) throw new Refusal(noModel(request.model, requestId));
  if (model.isSingle && request.sequential_image_generation !== undefined) throw notOfModel(requestId);
  if (request.stream) throw invalidParameter('stream', 'streaming is not supported here', requestId);
  const links = [request.image ?? []].flat();
  if (links.length > model.inputs) throw invalidParameter('image', `at most ${model.inputs} images`, requestId);
  const inputs = await readInputs(links, { tools, requestId });
  const prompt = withoutDirectives(request.prompt);
  return {
    model: request.model,
    prompt,
    seed: request.seed ?? 0,
    count: countOf(request, { prompt, inputCount: inputs.length, requestId }),
    asLinks: (request.response_format ?? 'url') === 'url',
    ...resolveSize(model.sizes, { size: request.size, input: inputs[0], requestId }),
  };
}

/** The words that a deployment of 5.0 Pro was seen to say, in August 2026. */
function notOfModel(requestId: string): Refusal {
  const field = 'sequential_image_generation';
  return invalidParameter(field, `the parameter \`${field}\` is not supported by the current model`, requestId);
}

async function readInputs(
  links: string[],
  { tools, requestId }: { tools: GenerationsTools; requestId: string },
): Promise<Canvas[]> {
  const inputs: Canvas[] = [];
  for (const link of links) {
    const { bytes } = await tools.bringIn(link, MAX_INPUT_BYTES).catch((error: unknown) => {
      throw error instanceof ImageSourceError ? invalidParameter('image', error.message, requestId) : error;
    });
    const image = await inspectImage(bytes);
    if (!image || !['jpeg', 'png', 'webp'].includes(image.format)) {
      throw invalidParameter('image', 'unsupported image format', requestId);
    }
    inputs.push(image);
  }
  return inputs;
}

/** One image, or up to `max_images` in the sequential mode, where the model decides how many the prompt deserves. */
function countOf(
  request: ImagesRequest,
  { prompt, inputCount, requestId }: { prompt: string; inputCount: number; requestId: string },
): number {
  if (request.sequential_image_generation !== 'auto') return 1;
  const asked = request.sequential_image_generation_options?.max_images;
  if (asked !== undefined && asked + inputCount > MAX_IMAGES) {
    const reason = `input images and generated images together must not exceed ${MAX_IMAGES}`;
    throw invalidParameter('sequential_image_generation_options.max_images', reason, requestId);
  }
  const most = asked ?? MAX_IMAGES - inputCount;
  return Math.floor(createDice(prompt, 'count').between(1, most + 1));
}

async function run(job: ImageJob, { tools, call }: { tools: GenerationsTools; call: Call }): Promise<Reply> {
  const isBlocked = chooseBlocked(job, call);
  const data: JsonObject[] = [];
  for (let index = 0; index < job.count; index += 1) {
    data.push(isBlocked(index) ? { error: outputBlocked } : await makeItem(job, { index, tools, call }));
  }
  const generated = data.filter((item) => !('error' in item)).length;
  const tokens = generated * OUTPUT_TOKENS_PER_IMAGE;
  const body = {
    model: job.model,
    created: Math.floor(tools.clock.now() / 1_000),
    data,
    usage: { generated_images: generated, output_tokens: tokens, total_tokens: tokens },
  };
  return { status: 200, body: spoil(body, { job, call }) };
}

/** Chooses the images that the review of results withholds: all, or those beyond the first k of n. */
function chooseBlocked(job: ImageJob, { faults }: Call): (index: number) => boolean {
  if (faults.take('policy-result')) return () => true;
  const partial = faults.take('partial');
  if (!partial) return () => false;
  const { succeed, of } = share(partial.value);
  // With one image a call, the calls for the same prompt are counted instead.
  return (index) => (job.count > 1 ? index : (partial.hit - 1) % of) >= succeed;
}

async function makeItem(
  job: ImageJob,
  { index, tools, call }: { index: number; tools: GenerationsTools; call: Call },
): Promise<JsonObject> {
  const { prompt, width, height } = job;
  const order = { prompt, width, height, seed: job.seed + index };
  const bytes = await renderImage({ ...order, format: 'jpeg', quality: 90 });
  const size = `${width}x${height}`;
  if (!job.asLinks) return { b64_json: fileInAnswer(bytes, call.faults).toString('base64'), size };
  const file = {
    bytes,
    contentType: 'image/jpeg',
    extension: 'jpeg',
    lifetimeMs: LINK_LIFETIME_MS,
    faults: call.faults,
  };
  return { url: `http://${call.request.get('host')}${tools.assets.put(file)}`, size };
}

function spoil(body: JsonObject & { data: JsonObject[] }, { job, call }: { job: ImageJob; call: Call }): JsonObject {
  if (call.faults.take('empty-result')) return { ...body, data: [] };
  if (call.faults.take('missing-url')) return { ...body, data: body.data.map(({ size }) => ({ size })) };
  const field = job.asLinks ? 'url' : 'b64_json';
  if (call.faults.take('wrong-type'))
    return { ...body, data: body.data.map((item) => ({ ...item, [field]: 42 })), usage: 'none' };
  return body;
}

const properties = {
  model: { type: 'string', minLength: 1 },
  prompt: { type: 'string', minLength: 1 },
  image: {
    type: ['string', 'array'],
    items: { type: 'string' },
    minItems: 1,
  },
  size: { type: 'string' },
  sequential_image_generation: { enum: ['disabled', 'auto'] },
  sequential_image_generation_options: {
    type: 'object',
    properties: { max_images: { type: 'integer', minimum: 1, maximum: 15 } },
  },
  response_format: { enum: ['url', 'b64_json'] },
  watermark: { type: 'boolean' },
  seed: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 },
  stream: { type: 'boolean' },
  optimize_prompt_options: { type: 'object', properties: { mode: { enum: ['standard', 'fast'] } } },
} as const;

type ImagesRequest = Fields<typeof properties, 'model' | 'prompt'>;

/** The typed request; throws the vendor's refusal. */
const checkRequest = bodyCheck({ properties, required: ['model', 'prompt'] }, bodyRefused);
