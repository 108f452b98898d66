import { invalidParameter } from './wire';

export interface MediaItem {
  type: string;
  url: string;
}

/** JSON Schema of `input.media` for the types that a model takes. */
export function mediaShape(types: string[]) {
  return {
    type: 'array',
    minItems: 1,
    maxItems: 24,
    items: {
      type: 'object',
      required: ['type', 'url'],
      properties: { type: { enum: types }, url: { type: 'string', minLength: 1 } },
    },
  } as const;
}

export function linksOf(media: MediaItem[], type: string): string[] {
  return media.filter((item) => item.type === type).map(({ url }) => url);
}

/** Throws when there are more of a type than the model takes. */
export function checkCounts(media: MediaItem[], most: Record<string, number>, requestId: string): void {
  for (const [type, limit] of Object.entries(most)) {
    if (linksOf(media, type).length > limit) {
      throw invalidParameter(`input.media takes at most ${limit} of type ${type}`, requestId);
    }
  }
}
