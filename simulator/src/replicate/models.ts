import { type HostedModel, hostedModel, imageCanvas, videoCanvas } from '../hosted/hosted-model';

/*
 * The few of the vendor's thousands of models that the shipped configuration names, with the fields that their pages have (API,
 * November 2026); and one that is none of its official ones, which is called by its version.
 */

const text = { type: 'string', minLength: 1 };
const addresses = { type: 'array', items: text };
const side = { type: 'integer', minimum: 1024, maximum: 4096 };
const PIXELS: Record<string, number> = { '1K': 1024 ** 2, '2K': 2048 ** 2, '4K': 4096 ** 2 };
const RATIOS = ['1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3', '21:9'];

/** By `owner/name`. */
export const officialModels: Readonly<Record<string, HostedModel>> = {
  'bytedance/seedream-4': hostedModel({
    makes: 'images',
    required: ['prompt'],
    properties: {
      prompt: text,
      image_input: addresses,
      size: { enum: ['1K', '2K', '4K', 'custom'] },
      aspect_ratio: { enum: ['match_input_image', ...RATIOS] },
      width: side,
      height: side,
      sequential_image_generation: { enum: ['disabled', 'auto'] },
      max_images: { type: 'integer', minimum: 1, maximum: 15 },
      enhance_prompt: { type: 'boolean' },
    },
    imageFields: ['image_input'],
    canvas: ({ size = '2K', width = 2048, height = 2048, aspect_ratio: ratio }, image) =>
      size === 'custom'
        ? { width: Number(width), height: Number(height) }
        : imageCanvas(ratio, { pixels: PIXELS[String(size)] ?? 2048 ** 2, image }),
  }),
  'minimax/hailuo-02': hostedModel({
    makes: 'video',
    required: ['prompt'],
    properties: {
      prompt: text,
      first_frame_image: text,
      last_frame_image: text,
      duration: { enum: [6, 10] },
      resolution: { enum: ['512p', '768p', '1080p'] },
      prompt_optimizer: { type: 'boolean' },
    },
    imageFields: ['first_frame_image', 'last_frame_image'],
    canvas: ({ resolution = '1080p' }, image) => videoCanvas(resolution, undefined, image),
  }),
};

/** By the version. */
export const versions: Readonly<Record<string, { name: string; model: HostedModel }>> = {
  '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa': {
    name: 'someone/sketches',
    model: hostedModel({
      makes: 'images',
      required: ['prompt'],
      properties: {
        prompt: text,
        num_outputs: { type: 'integer', minimum: 1, maximum: 4 },
        seed: { type: 'integer' },
        output_format: { enum: ['webp', 'jpg', 'png'] },
      },
      canvas: () => ({ width: 1024, height: 1024 }),
    }),
  },
};

/** Whether the model answers with one link instead of a list. */
export function answersWithOne({ makes }: HostedModel): boolean {
  return makes === 'video';
}
