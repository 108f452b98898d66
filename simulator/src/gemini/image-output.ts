import { fileInAnswer } from '../assets/file-in-answer';
import { withoutDirectives } from '../faults/directive';
import { share } from '../faults/scenarios';
import { isBase64 } from '../media/base64';
import type { Canvas } from '../media/drawing';
import { inspectImage } from '../media/inspect-image';
import { renderImage } from '../media/render';
import type { Call, JsonObject, Reply } from '../vendor-call/contract';
import type { OutputKind } from './output-kind';
import type { GenerateContentRequest, Part } from './request';
import { invalidArgument } from './wire';

interface ImageJob extends Canvas {
  model: string;
  /** Without fault directives. */
  prompt: string;
  seed: number;
  withText: boolean;
  outputTokens: number;
  inputTokens: number;
}

/** The differences between the two generations of image models. */
interface Generation {
  maxInputs: number;
  inputTokens: number;
  /** By `imageSize`, with how much longer its sides are than those of 1K; the first is the default. */
  sizes: Record<string, { tokens: number; scale: number }>;
  takesSize: boolean;
}

const second: Generation = {
  maxInputs: 3,
  inputTokens: 258,
  sizes: { '1K': { tokens: 1_290, scale: 1 } },
  takesSize: false,
};
const third: Generation = {
  maxInputs: 14,
  inputTokens: 1_120,
  sizes: {
    '1K': { tokens: 1_120, scale: 1 },
    '2K': { tokens: 1_680, scale: 2 },
    '4K': { tokens: 2_520, scale: 4 },
    '512': { tokens: 747, scale: 0.5 },
  },
  takesSize: true,
};
const MAX_INPUT_BYTES = 7 * 1024 * 1024;
const inputTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** Models that answer with an image as inline data. */
export const imageOutput: OutputKind<ImageJob> = { isAtOnce: false, prepare, run };

async function prepare(request: GenerateContentRequest, { model }: { model: string }): Promise<ImageJob> {
  const config = request.generationConfig ?? {};
  const modalities = config.responseModalities ?? ['TEXT', 'IMAGE'];
  if (!modalities.includes('IMAGE') || modalities.includes('AUDIO')) {
    throw invalidArgument(
      `The requested combination of response modalities (${modalities.join(', ')}) is not supported by the model. models/${model} accepts the following combinations of response modalities:\n* IMAGE\n* TEXT, IMAGE\n`,
    );
  }
  if ((config.candidateCount ?? 1) !== 1) throw invalidArgument('Multiple candidates is not enabled for this model');
  if (request.tools?.length) throw invalidArgument(`Function calling is not enabled for models/${model}`);
  const generation = model.startsWith('gemini-3') ? third : second;
  const { tokens, scale } = sizeOf(config.imageConfig?.imageSize, generation, model);

  const parts = request.contents.at(-1)?.parts ?? [];
  const inputs = await readInputs(
    request.contents.flatMap((content) => content.parts),
    generation.maxInputs,
  );
  const prompt = parts.map((part) => part.text ?? '').join('\n');
  if (prompt.trim() === '') throw invalidArgument('Image generation needs a text prompt.');
  const canvas = canvasOf(config.imageConfig?.aspectRatio, generation === third) ?? nearestCanvas(inputs.at(-1));
  return {
    model,
    prompt: withoutDirectives(prompt),
    seed: config.seed ?? 0,
    withText: modalities.includes('TEXT'),
    outputTokens: tokens,
    inputTokens: inputs.length * generation.inputTokens,
    width: Math.round(canvas.width * scale),
    height: Math.round(canvas.height * scale),
  };
}

function sizeOf(imageSize: string | undefined, { sizes, takesSize }: Generation, model: string) {
  if (imageSize !== undefined && !takesSize) throw invalidArgument(`Image size is not supported by models/${model}`);
  const size = sizes[imageSize ?? '1K'];
  if (size) return size;
  const message = `Invalid value at 'generation_config.image_config.image_size': ${JSON.stringify(imageSize?.slice(0, 40))}`;
  throw invalidArgument(message, 'generation_config.image_config.image_size');
}

async function readInputs(parts: Part[], maxInputs: number): Promise<Canvas[]> {
  if (parts.some((part) => part.fileData))
    throw invalidArgument('Unsupported file uri type: only uploaded files may be referred to.');
  const blobs = parts.flatMap((part) => (part.inlineData ? [part.inlineData] : []));
  if (blobs.length > maxInputs)
    throw invalidArgument(`Please use at most ${maxInputs} input images; ${blobs.length} were given.`);
  const inputs: Canvas[] = [];
  for (const { mimeType, data } of blobs) {
    if (!inputTypes.includes(mimeType)) throw invalidArgument(`Unsupported MIME type: ${mimeType.slice(0, 60)}`);
    if (!isBase64(data)) throw invalidArgument('Base64 decoding failed', 'contents.parts.inline_data.data');
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > MAX_INPUT_BYTES)
      throw invalidArgument(`The input image exceeds the limit of ${MAX_INPUT_BYTES} bytes.`);
    const image = await inspectImage(bytes);
    if (!image)
      throw invalidArgument(
        'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      );
    inputs.push(image);
  }
  return inputs;
}

async function run(job: ImageJob, { requestId, faults }: Call): Promise<Reply> {
  const answer = (candidate: JsonObject, imageTokens: number): Reply => ({
    status: 200,
    body: {
      candidates: [{ index: 0, ...candidate }],
      usageMetadata: usageOf(job, imageTokens),
      modelVersion: job.model,
      responseId: requestId,
    },
  });
  const partial = faults.take('partial');
  if (faults.take('policy-result') || (partial && isUnlucky(partial))) {
    return answer({ finishReason: 'IMAGE_SAFETY', finishMessage: 'Unable to show the generated image.' }, 0);
  }
  if (faults.take('empty-result'))
    return answer({ content: { role: 'model', parts: [] }, finishReason: 'NO_IMAGE' }, 0);
  if (faults.take('missing-url')) {
    return answer(
      { content: { role: 'model', parts: [{ text: 'I would rather describe it.' }] }, finishReason: 'STOP' },
      0,
    );
  }
  const { prompt, seed, width, height } = job;
  const image = await renderImage({ prompt, seed, width, height, format: 'png' });
  const imagePart: JsonObject = faults.take('wrong-type')
    ? { inlineData: 'image/png' }
    : {
        inlineData: {
          mimeType: 'image/png',
          data: fileInAnswer(image, faults).toString('base64'),
        },
      };
  const parts = job.withText ? [{ text: 'Here is your image.' }, imagePart] : [imagePart];
  return answer({ content: { role: 'model', parts }, finishReason: 'STOP' }, job.outputTokens);
}

/** One call makes one image: of every n calls for the same prompt, the first k succeed. */
function isUnlucky({ value, hit }: { value: string; hit: number }): boolean {
  const { succeed, of } = share(value);
  return (hit - 1) % of >= succeed;
}

const CHARS_PER_TEXT_TOKEN = 4;

function usageOf(job: ImageJob, imageTokens: number): JsonObject {
  const textTokens = Math.ceil(job.prompt.length / CHARS_PER_TEXT_TOKEN);
  const { inputTokens } = job;
  return {
    promptTokenCount: textTokens + inputTokens,
    ...(imageTokens > 0 && {
      candidatesTokenCount: imageTokens,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: imageTokens }],
    }),
    totalTokenCount: textTokens + inputTokens + imageTokens,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: textTokens },
      ...(inputTokens > 0 ? [{ modality: 'IMAGE', tokenCount: inputTokens }] : []),
    ],
  };
}

const canvases = new Map<string, Canvas>([
  ['1:1', { width: 1_024, height: 1_024 }],
  ['2:3', { width: 832, height: 1_248 }],
  ['3:2', { width: 1_248, height: 832 }],
  ['3:4', { width: 864, height: 1_184 }],
  ['4:3', { width: 1_184, height: 864 }],
  ['4:5', { width: 896, height: 1_152 }],
  ['5:4', { width: 1_152, height: 896 }],
  ['9:16', { width: 768, height: 1_344 }],
  ['16:9', { width: 1_344, height: 768 }],
  ['21:9', { width: 1_536, height: 672 }],
]);

/** Ratios that only the third generation has. */
const banners = new Map<string, Canvas>([
  ['1:4', { width: 512, height: 2_048 }],
  ['4:1', { width: 2_048, height: 512 }],
  ['1:8', { width: 384, height: 3_072 }],
  ['8:1', { width: 3_072, height: 384 }],
]);

/** The pixels of a named ratio; undefined when none was asked for. Throws the vendor's refusal of any other. */
function canvasOf(aspectRatio: string | undefined, withBanners: boolean): Canvas | undefined {
  if (aspectRatio === undefined) return undefined;
  const canvas = canvases.get(aspectRatio) ?? (withBanners ? banners.get(aspectRatio) : undefined);
  if (canvas) return canvas;
  const message = `Invalid value at 'generation_config.image_config.aspect_ratio': ${JSON.stringify(aspectRatio.slice(0, 40))}`;
  throw invalidArgument(message, 'generation_config.image_config.aspect_ratio');
}

/** Without a ratio the image takes the shape of the last input, and is square without one. */
function nearestCanvas(input: Canvas | undefined): Canvas {
  const wanted = input ? Math.log(input.width / input.height) : 0;
  const distance = ({ width, height }: Canvas) => Math.abs(Math.log(width / height) - wanted);
  return [...canvases.values()].reduce((best, canvas) => (distance(canvas) < distance(best) ? canvas : best));
}
