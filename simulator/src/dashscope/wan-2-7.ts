import { commonParameters, compileModel, linksOf, type ModelReader, mediaShape, plan } from './request';
import { canvasFor } from './sizes';
import { invalidParameter } from './wire';

const DEFAULT_RESOLUTION = '1080P';
const DEFAULT_RATIO = '16:9';

const prompts = {
  prompt: { type: 'string', minLength: 1, maxLength: 5_000 },
  negative_prompt: { type: 'string', maxLength: 500 },
} as const;
const parameters = {
  ...commonParameters,
  resolution: { enum: ['720P', '1080P'] },
  duration: { type: 'integer', minimum: 2, maximum: 15 },
} as const;
const ratio = { enum: ['16:9', '9:16', '1:1', '4:3', '3:4'] } as const;

const checkText = compileModel({
  required: ['prompt'],
  input: { ...prompts, audio_url: { type: 'string', minLength: 1 } },
  parameters: { ...parameters, ratio },
});

const checkImage = compileModel({
  required: ['media'],
  input: { ...prompts, media: mediaShape(['first_frame', 'last_frame', 'driving_audio', 'first_clip']) },
  parameters,
});

/** The media that `wan2.7-i2v` takes together; the order in the request does not matter. */
const combinations = [
  'first_frame',
  'driving_audio first_frame',
  'first_frame last_frame',
  'driving_audio first_frame last_frame',
  'first_clip',
  'first_clip last_frame',
];

/** `wan2.7-t2v`. */
export const textToVideo: ModelReader = async (body, { call, references }) => {
  const request = checkText(body, call);
  if (request.input.audio_url !== undefined) await references.audio(request.input.audio_url);
  const { resolution = DEFAULT_RESOLUTION, ratio: shape = DEFAULT_RATIO } = request.parameters;
  return plan(request.parameters, canvasFor(resolution, shape));
};

/** `wan2.7-i2v`: from frames, or on from a clip; the shape is that of the first frame. */
export const imageToVideo: ModelReader = async (body, { call, references }) => {
  const request = checkImage(body, call);
  const { media = [] } = request.input;
  const types = media.map(({ type }) => type).sort();
  if (!combinations.includes(types.join(' '))) {
    throw invalidParameter(`input.media does not take ${types.join(', ')} together`, call.requestId);
  }
  const images = { first: linksOf(media, 'first_frame')[0], last: linksOf(media, 'last_frame')[0] };
  const first = images.first === undefined ? undefined : await references.image(images.first);
  if (images.last !== undefined) await references.image(images.last);
  for (const url of linksOf(media, 'driving_audio')) await references.audio(url);
  const clips = await Promise.all(linksOf(media, 'first_clip').map((url) => references.video(url)));
  const canvas = canvasFor(request.parameters.resolution ?? DEFAULT_RESOLUTION, first ?? DEFAULT_RATIO);
  return plan(request.parameters, canvas, clips[0]?.seconds);
};
