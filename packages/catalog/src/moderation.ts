import type { JsonObject, MediaReference } from '@mediagate/contracts';

/** The content to review before a task is accepted. */
export interface ModeratedContent {
  prompt?: string;
  /** In the order of the body. */
  images: readonly MediaReference[];
}

/** The prompt and the images of an input that asks for their review with `nsfw_check`; undefined: nothing to review. */
export function moderatedContent(input: JsonObject, media: readonly MediaReference[]): ModeratedContent | undefined {
  if (input['nsfw_check'] !== true) return undefined;
  const { prompt } = input;
  const images = media.filter(({ role }) => role === 'image');
  if (typeof prompt === 'string') return { prompt, images };
  return images.length > 0 ? { images } : undefined;
}
