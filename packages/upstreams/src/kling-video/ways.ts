import { elementCallPattern, type VideoElement, type VideoRequest } from '@mediagate/contracts';
import type { Endpoint } from '../contract';
import { object, text } from '../json-guards';
import { addressOf } from '../video-ability';

/** The vendor has a path for each way to make a video. */
export type Way = 'text2video' | 'image2video' | 'omni-video';
export const WAYS: readonly Way[] = ['text2video', 'image2video', 'omni-video'];

/** Text alone takes no elements; with them and without an image it is the omni model's. */
export function wayOf(video: VideoRequest): Way {
  if (addressOf(video, 'first_frame') !== undefined) return 'image2video';
  return video.elements === undefined ? 'text2video' : 'omni-video';
}

/** The channel's model, or its omni variant where the way is that one's. */
export function modelName(way: Way, { model, options }: Endpoint): string {
  if (way !== 'omni-video') return model;
  return text(object(options['omni_models'])[model]) ?? `${model}-omni`;
}

/** `@name` in the wire's own words. The longest name first, should one begin with another. */
export function callElements(
  prompt: string,
  elements: readonly VideoElement[],
  wordFor: (place: number) => string,
): string {
  const names = elements.map(({ name }) => name);
  if (names.length === 0) return prompt;
  const byLength = [...names].sort((a, b) => b.length - a.length);
  return prompt.replace(new RegExp(byLength.map(elementCallPattern).join('|'), 'g'), (call) => {
    return wordFor(names.indexOf(call.slice(1)) + 1);
  });
}
