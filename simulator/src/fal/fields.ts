import type { Canvas } from '../media/drawing';

/* Schemas of fields that models of the vendor have in common. */

export const text = { type: 'string', minLength: 1 };
export const address = { ...text };
export const flag = { type: 'boolean' };
export const seed = { type: 'integer' };
export const oneOf = (...words: (string | number)[]) => ({ enum: words });
export const seconds = (from: number, to: number) => ({
  enum: Array.from({ length: to - from + 1 }, (_, index) => String(from + index)),
});
export const upTo = (most: number) => ({ type: 'integer', minimum: 1, maximum: most });
export const addresses = { type: 'array', minItems: 1, items: address };

export const PRESETS: Record<string, Canvas> = {
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
export const imageSize = {
  anyOf: [
    { type: 'string', enum: [...Object.keys(PRESETS), 'auto'] },
    { type: 'object', required: ['width', 'height'], properties: { width: side, height: side } },
  ],
};
