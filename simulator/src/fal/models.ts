import { type HostedModel, hostedModel, imageCanvas, videoCanvas } from '../hosted/hosted-model';
import type { Canvas } from '../media/drawing';
import type { JsonObject } from '../vendor-call/contract';

/* Schemas of fields that models of the vendor have in common. */

const text = { type: 'string', minLength: 1 };
const address = { ...text };
const flag = { type: 'boolean' };
const seed = { type: 'integer' };
const oneOf = (...words: (string | number)[]) => ({ enum: words });
const seconds = (from: number, to: number) => ({
  enum: Array.from({ length: to - from + 1 }, (_, index) => String(from + index)),
});
const upTo = (most: number) => ({ type: 'integer', minimum: 1, maximum: most });
const addresses = { type: 'array', minItems: 1, items: address };

const PRESETS: Record<string, Canvas> = {
  square_hd: { width: 1024, height: 1024 },
  square: { width: 512, height: 512 },
  portrait_4_3: { width: 768, height: 1024 },
  portrait_16_9: { width: 576, height: 1024 },
  landscape_4_3: { width: 1024, height: 768 },
  landscape_16_9: { width: 1024, height: 576 },
  auto_2K: { width: 2048, height: 2048 },
  auto_3K: { width: 3072, height: 3072 },
  auto_4K: { width: 4096, height: 4096 },
};
const side = { type: 'integer', minimum: 64, maximum: 4096 };
const imageSize = {
  anyOf: [
    { type: 'string', enum: [...Object.keys(PRESETS), 'auto'] },
    { type: 'object', required: ['width', 'height'], properties: { width: side, height: side } },
  ],
};

/*
 * The few of the vendor's hundreds of models that the shipped configuration names, with the fields that `@fal-ai/client` 1.10.1 types
 * (types/endpoints.d.ts) or the model's own page has (openai/gpt-image-2, openai/gpt-image-2.5 and bytedance/seedance-2.0; November 2026;
 * alibaba/wan-3.0 as two public clients took it from there in October 2026).
 */

function sizedCanvas({ image_size: size }: JsonObject, image: Canvas | undefined): Canvas {
  if (typeof size === 'object' && size !== null) return size as Canvas;
  return PRESETS[String(size)] ?? imageCanvas(undefined, { pixels: 1024 * 1024, image, ratio: 4 / 3 });
}

const ratioCanvas = (input: JsonObject, image: Canvas | undefined): Canvas =>
  imageCanvas(input['aspect_ratio'], { pixels: 1024 * 1024, image });

const clipCanvas = (input: JsonObject, image: Canvas | undefined): Canvas =>
  videoCanvas(input['resolution'], image ? undefined : input['aspect_ratio'], image);

const common = { prompt: text, seed, sync_mode: flag, enable_safety_checker: flag };
const seedream = {
  ...common,
  image_size: imageSize,
  num_images: upTo(6),
  max_images: upTo(6),
  enhance_prompt_mode: oneOf('standard', 'fast'),
};
const bananaRatios = ['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'];
const banana = {
  ...common,
  aspect_ratio: oneOf(...bananaRatios),
  num_images: upTo(4),
  output_format: oneOf('jpeg', 'png', 'webp'),
  limit_generations: flag,
  safety_tolerance: oneOf('1', '2', '3', '4', '5', '6'),
};
const banana2 = {
  ...banana,
  aspect_ratio: oneOf(...bananaRatios, '4:1', '1:4', '8:1', '1:8'),
  resolution: oneOf('0.5K', '1K', '2K', '4K'),
};
const gptImage = {
  ...common,
  image_size: imageSize,
  quality: oneOf('auto', 'low', 'medium', 'high'),
  num_images: upTo(4),
  output_format: oneOf('jpeg', 'png', 'webp'),
};
const gptImage25 = {
  ...gptImage,
  quality: oneOf('auto', 'low', 'medium', 'high', 'xhigh', 'max'),
  background: oneOf('auto', 'transparent', 'opaque'),
  num_images: upTo(10),
  output_compression: { type: 'integer', minimum: 0, maximum: 100 },
};
const flux = {
  ...common,
  image_size: imageSize,
  num_images: upTo(4),
  num_inference_steps: upTo(12),
  guidance_scale: { type: 'number', minimum: 1, maximum: 20 },
  output_format: oneOf('jpeg', 'png'),
  acceleration: oneOf('none', 'regular', 'high'),
};
const kling = {
  ...common,
  duration: seconds(3, 15),
  aspect_ratio: oneOf('16:9', '9:16', '1:1'),
  generate_audio: flag,
  negative_prompt: { type: 'string' },
  cfg_scale: { type: 'number', minimum: 0, maximum: 1 },
  shot_type: oneOf('customize', 'intelligent'),
  multi_prompt: { type: 'array' },
};
const hailuo = { prompt: text, prompt_optimizer: flag };
const wan = {
  ...common,
  resolution: oneOf('720p', '1080p'),
  aspect_ratio: oneOf('16:9', '9:16', '1:1', '4:3', '3:4'),
  negative_prompt: { type: 'string', maxLength: 500 },
  enable_prompt_expansion: flag,
  audio_url: address,
};
const wan3 = {
  ...common,
  prompt: { ...text, maxLength: 5000 },
  resolution: oneOf('480p', '720p', '1080p'),
  aspect_ratio: oneOf('adaptive', '16:9', '4:3', '1:1', '3:4', '9:16'),
  duration: { type: 'integer', minimum: 2, maximum: 30 },
  audio: flag,
  enable_prompt_expansion: flag,
  enable_thinking: flag,
};
const seedance = {
  ...common,
  resolution: oneOf('480p', '720p'),
  duration: oneOf('auto', ...seconds(4, 15).enum),
  aspect_ratio: oneOf('auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'),
  generate_audio: flag,
};

const veo = {
  ...common,
  duration: oneOf('4s', '6s', '8s'),
  resolution: oneOf('720p', '1080p'),
  aspect_ratio: oneOf('auto', '16:9', '9:16'),
  generate_audio: flag,
  negative_prompt: { type: 'string' },
  auto_fix: flag,
  safety_tolerance: oneOf('1', '2', '3', '4', '5', '6'),
};

type Fields = Record<string, object>;
const images = (properties: Fields, canvas = sizedCanvas) =>
  hostedModel({ makes: 'images', required: ['prompt'], properties, canvas });
const edits = (properties: Fields, canvas = sizedCanvas) =>
  hostedModel({
    makes: 'images',
    required: ['prompt', 'image_urls'],
    properties: { ...properties, image_urls: addresses },
    imageFields: ['image_urls'],
    canvas,
  });
const fromText = (properties: Fields) =>
  hostedModel({
    makes: 'video',
    required: ['prompt'],
    properties,
    clipFields: 'audio_url' in properties ? ['audio_url'] : [],
    canvas: clipCanvas,
  });
const fromImage = (first: string, properties: Fields, last = 'end_image_url') =>
  hostedModel({
    makes: 'video',
    required: ['prompt', first],
    properties: { ...properties, [first]: address, [last]: address },
    imageFields: [first, last],
    clipFields: 'audio_url' in properties ? ['audio_url'] : [],
    canvas: clipCanvas,
  });

const { aspect_ratio: _shape, ...klingOfImage } = kling;
const { aspect_ratio: _ratio, ...wanOfImage } = wan;
const wan26 = { duration: oneOf('5', '10', '15'), multi_shots: flag };

/** The models by endpoint. */
export const falModels: Readonly<Record<string, HostedModel>> = {
  'fal-ai/bytedance/seedream/v4/text-to-image': images(seedream),
  'fal-ai/bytedance/seedream/v4/edit': edits(seedream),
  'fal-ai/bytedance/seedream/v5/lite/text-to-image': images(seedream),
  'fal-ai/bytedance/seedream/v5/lite/edit': edits(seedream),
  'fal-ai/nano-banana': images(banana, ratioCanvas),
  'fal-ai/nano-banana/edit': edits(banana, ratioCanvas),
  'fal-ai/nano-banana-2': images(banana2, ratioCanvas),
  'fal-ai/nano-banana-2/edit': edits(banana2, ratioCanvas),
  'openai/gpt-image-2': images(gptImage),
  'openai/gpt-image-2/edit': edits({ ...gptImage, mask_url: address }),
  ...gptImage25Of('flare'),
  ...gptImage25Of('sunburst'),
  'fal-ai/flux/schnell': images(flux),
  'fal-ai/kling-video/v3/standard/text-to-video': fromText(kling),
  'fal-ai/kling-video/v3/standard/image-to-video': fromImage('start_image_url', klingOfImage),
  'fal-ai/kling-video/v3/pro/text-to-video': fromText(kling),
  'fal-ai/kling-video/v3/pro/image-to-video': fromImage('start_image_url', klingOfImage),
  'fal-ai/minimax/hailuo-02/standard/text-to-video': fromText({ ...hailuo, duration: oneOf('6', '10') }),
  'fal-ai/minimax/hailuo-02/standard/image-to-video': fromImage('image_url', {
    ...hailuo,
    duration: oneOf('6', '10'),
    resolution: oneOf('512P', '768P'),
  }),
  'wan/v2.6/text-to-video': fromText({ ...wan, ...wan26 }),
  'wan/v2.6/image-to-video': fromImage('image_url', { ...wanOfImage, ...wan26 }),
  'fal-ai/wan/v2.7/text-to-video': fromText({ ...wan, duration: seconds(2, 15) }),
  'fal-ai/wan/v2.7/image-to-video': fromImage('image_url', { ...wanOfImage, duration: seconds(2, 15) }),
  ...wan3Of('alibaba/wan-3.0'),
  ...wan3Of('alibaba/wan-3.0-prime'),
  ...veoOf('fal-ai/veo3.1'),
  ...veoOf('fal-ai/veo3.1/fast'),
  ...veoOf('fal-ai/veo3.1/lite'),
  'bytedance/seedance-2.0/text-to-video': fromText(seedance),
  'bytedance/seedance-2.0/image-to-video': fromImage('image_url', seedance),
};

function gptImage25Of(variant: string) {
  return {
    [`openai/gpt-image-2.5/${variant}/text-to-image`]: images(gptImage25),
    [`openai/gpt-image-2.5/${variant}/edit`]: edits({ ...gptImage25, mask_url: address }),
  };
}

/** Without words a first frame is enough. */
function wan3Of(endpoint: string) {
  return {
    [`${endpoint}/text-to-video`]: fromText(wan3),
    [`${endpoint}/image-to-video`]: hostedModel({
      makes: 'video',
      required: ['start_image_url'],
      properties: { ...wan3, start_image_url: address, end_image_url: address },
      imageFields: ['start_image_url', 'end_image_url'],
      canvas: clipCanvas,
    }),
  };
}

function veoOf(endpoint: string) {
  const ofFrames = { ...veo, resolution: oneOf('720p', '1080p', '4k') };
  return {
    [endpoint]: fromText(veo),
    [`${endpoint}/image-to-video`]: fromImage('image_url', veo),
    [`${endpoint}/first-last-frame-to-video`]: fromImage('first_frame_url', ofFrames, 'last_frame_url'),
  };
}
