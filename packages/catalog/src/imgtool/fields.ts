import { RATIO } from '../patterns';
import { type RuleOutcome, reject } from '../rules';

/** Schema of fields that operations of the image tool have in common. */

export const prompt = { type: 'string', maxLength: 8192, description: 'Words, and flags such as --ar 3:2.' } as const;

export const metadata = {
  type: 'object',
  description:
    'Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON.',
} as const;

export const common = {
  speed: { type: 'string', enum: ['relax', 'fast', 'turbo'], default: 'relax' },
  metadata,
} as const;

/** An image may come as a data URL, so its length is bounded by the body's. */
export function images<const Min extends number, const Max extends number>(minItems: Min, maxItems: Max) {
  return {
    type: 'array',
    minItems,
    maxItems,
    items: { type: 'string' },
    description: 'PNG, JPEG or WebP: http or https URLs, data URLs, or ids of files (`file_…`).',
  } as const;
}

export const ratio = {
  type: 'string',
  pattern: RATIO,
  description: 'A ratio as 3:2.',
} as const;

/** The longer side over the shorter; beyond it the vendor takes the job and then fails it. */
const MAX_ASPECT = 14;

/** Rule: an image may be a strip, but no line. */
export function shapeCanBeDrawn({ size }: { size?: string }): RuleOutcome {
  const [width = 1, height = 1] = size?.split(':').map(Number) ?? [];
  if (Math.max(width, height) <= MAX_ASPECT * Math.min(width, height)) return undefined;
  return reject('size', 'ratio_out_of_range', { limit: MAX_ASPECT });
}

/** The task whose result is worked on. */
export const parentTask = {
  task_id: { type: 'string', maxLength: 64, description: 'The image-tool task that made the image.' },
} as const;

export const tile = {
  type: 'integer',
  minimum: 1,
  maximum: 4,
  description: 'Which image of a grid, from the top left in rows.',
} as const;

export const customId = { type: 'string', maxLength: 256, description: 'A button of that task.' } as const;
