import { MAX_URL_LENGTH } from '../addresses';

/** Schema of fields that video models have in common. */

export function text<const Max extends number>(maxLength: Max, description: string) {
  return { type: 'string', maxLength, description } as const;
}

export function address(description: string) {
  return { type: 'string', maxLength: MAX_URL_LENGTH, description } as const;
}

export function addresses<const Max extends number>(maxItems: Max, description: string) {
  return { type: 'array', maxItems, items: { type: 'string', maxLength: MAX_URL_LENGTH }, description } as const;
}

export function duration<const Min extends number, const Max extends number>(minimum: Min, maximum: Max) {
  return { type: 'integer', minimum, maximum, default: 5, description: 'Whole seconds.' } as const;
}

export const nsfwCheck = {
  type: 'boolean',
  default: false,
  description: 'Has the prompt and the images reviewed before the task is accepted.',
} as const;

export const promptOptimizer = {
  type: 'boolean',
  default: true,
  description: 'Lets the model rewrite the prompt first.',
} as const;

export const seed = {
  type: 'integer',
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'The same seed makes similar videos.',
} as const;

export const watermark = { type: 'boolean', default: false, description: 'Marks the video as made by AI.' } as const;

export const negativePrompt = text(500, 'What the video should not show.');
