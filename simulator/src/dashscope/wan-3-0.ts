import { createDice } from '../media/dice';
import type { InspectedImage } from '../media/inspect-image';
import type { Call } from '../vendor-call/contract';
import type { References } from './references';
import {
  checkCounts,
  commonParameters,
  compileModel,
  DEFAULT_SECONDS,
  linksOf,
  type MediaItem,
  type ModelReader,
  mediaShape,
  plan,
} from './request';
import { canvasFor } from './sizes';
import { invalidParameter } from './wire';

/** Asks the model to choose the length. */
const SMART_DURATION = -1;
const MAX_PROMPT_CHARS = 20_000;
/** Seconds of all reference videos together, and of the reference videos and the result together. */
const MAX_INPUT_VIDEO_SECONDS = 15;
const MAX_TOTAL_SECONDS = 30;

const mostOfType = {
  first_frame: 1,
  last_frame: 1,
  reference_image: 10,
  reference_video: 5,
  reference_audio: 5,
  file: 1,
  link: 1,
};

const checkShape = compileModel({
  input: { prompt: { type: 'string', minLength: 1 }, media: mediaShape(Object.keys(mostOfType)) },
  parameters: {
    ...commonParameters,
    resolution: { enum: ['480P', '720P', '1080P'] },
    ratio: { enum: ['adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'] },
    duration: { type: 'integer', anyOf: [{ const: SMART_DURATION }, { minimum: 2, maximum: MAX_TOTAL_SECONDS }] },
    audio: { type: 'boolean' },
  },
});

/** `wan3.0-video` and `wan3.0-video-prime`: text, frames, or references of every kind. */
export const anyToVideo: ModelReader = async (body, { call, references }) => {
  const request = checkShape(body, call);
  const { media = [] } = request.input;
  const { duration, resolution, seed } = request.parameters;
  checkCombination(request, call);
  const { prompt = '' } = request.input;
  if (prompt.length > MAX_PROMPT_CHARS) call.warn(`the prompt is cut to ${MAX_PROMPT_CHARS} characters`);
  const { images, inputVideoSeconds } = await fetchAll(media, { references, requestId: call.requestId });
  const { first, last, references: shown } = images;

  const seconds = duration === SMART_DURATION ? smartSeconds(prompt, seed) : (duration ?? DEFAULT_SECONDS);
  if (inputVideoSeconds > 0 && inputVideoSeconds + seconds > MAX_TOTAL_SECONDS) {
    throw invalidParameter(`input video and output together exceed ${MAX_TOTAL_SECONDS} seconds`, call.requestId);
  }
  const { ratio = 'adaptive' } = request.parameters;
  const shape = ratio === 'adaptive' ? (first ?? last ?? shown[0] ?? '16:9') : ratio;
  const canvas = canvasFor(resolution ?? '1080P', shape);
  return plan({ ...request.parameters, duration: seconds }, canvas, inputVideoSeconds);
};

function checkCombination({ input, parameters }: ReturnType<typeof checkShape>, call: Call): void {
  const { media = [], prompt } = input;
  const has = (...types: string[]) => media.some(({ type }) => types.includes(type));
  const refuse = (sentence: string) => invalidParameter(sentence, call.requestId);
  checkCounts(media, mostOfType, call.requestId);
  if (prompt === undefined && media.length === 0) throw refuse('input.prompt or input.media is required');
  const hasFrames = has('first_frame', 'last_frame');
  if (hasFrames && has('reference_image', 'reference_video', 'reference_audio', 'file', 'link')) {
    throw refuse('input.media takes frames or references, not both');
  }
  if (has('file') && has('link')) throw refuse('input.media takes a file or a link, not both');
  if (has('file', 'link') && parameters.prompt_extend === false) {
    throw refuse('parameters.prompt_extend must be true with a file or a link');
  }
  if (has('last_frame') && !has('first_frame')) call.warn('a last_frame without a first_frame');
}

interface Fetched {
  images: { first: InspectedImage | undefined; last: InspectedImage | undefined; references: InspectedImage[] };
  inputVideoSeconds: number;
}

async function fetchAll(
  media: MediaItem[],
  { references, requestId }: { references: References; requestId: string },
): Promise<Fetched> {
  const image = async (url: string) => {
    const found = await references.image(url);
    if (found.hasAlpha) throw invalidParameter('images with an alpha channel are not supported', requestId);
    return found;
  };
  const imagesOf = (type: string) => Promise.all(linksOf(media, type).map(image));
  const [[first], [last], shown] = [
    await imagesOf('first_frame'),
    await imagesOf('last_frame'),
    await imagesOf('reference_image'),
  ];
  const videos = await Promise.all(linksOf(media, 'reference_video').map((url) => references.video(url)));
  for (const url of linksOf(media, 'reference_audio')) await references.audio(url);
  for (const url of [...linksOf(media, 'file'), ...linksOf(media, 'link')]) await references.anything(url);
  const inputVideoSeconds = videos.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0);
  if (inputVideoSeconds > MAX_INPUT_VIDEO_SECONDS) {
    throw invalidParameter(`reference videos together exceed ${MAX_INPUT_VIDEO_SECONDS} seconds`, requestId);
  }
  return { images: { first, last, references: shown }, inputVideoSeconds };
}

function smartSeconds(prompt: string, seed = 0): number {
  return Math.floor(createDice(prompt, seed, 'length').between(3, 13));
}
