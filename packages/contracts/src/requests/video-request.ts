/**
 * One video job in terms no vendor owns: a catalogue entry makes it from the caller's input, an adapter turns it into its
 * vendor's fields. Addresses are http or https; vendors of video fetch them themselves.
 */
export interface VideoRequest {
  prompt?: string;
  negativePrompt?: string;
  resolution: '480p' | '512p' | '720p' | '768p' | '1080p' | '4k';
  /** As `16:9`; absent: the shape of the input, or the vendor's choice. */
  aspectRatio?: string;
  /** Whole seconds of video wanted; `auto`: the model decides. */
  seconds: number | 'auto';
  /** Whether the video has a sound track. */
  audio?: boolean;
  watermark?: boolean;
  /** 0 to 2147483647. */
  seed?: number;
  /** Lets the vendor rewrite the prompt before it is used. */
  rewritePrompt?: boolean;
  /** Spends less time on rewriting it. */
  rewriteFast?: boolean;
  /** In the caller's order. */
  inputs: readonly VideoInput[];
  /** People and things to be shown, each called by its tag in the prompt. */
  subjects?: readonly VideoSubject[];
  /** Named things the vendor learns from images first; called `@name` in the prompt. */
  elements?: readonly VideoElement[];
  /** Several shots in one video: planned by the model, or one prompt and length each. */
  shots?: 'auto' | readonly VideoShot[];
}

export type VideoInput =
  | { role: 'first_frame' | 'last_frame'; url: string }
  /** `tag` begins with `@` and stands in the prompt; `atSeconds`: when it is seen. */
  | { role: 'mid_frame'; url: string; tag: string; atSeconds?: number }
  /** The video begins where this one ends. */
  | { role: 'continued_video'; url: string; tag?: string }
  | { role: 'reference_image' | 'reference_audio'; url: string }
  | { role: 'reference_video'; url: string; tag?: string }
  /** Heard in the result. */
  | { role: 'sound'; url: string }
  | { role: 'document' | 'web_page'; url: string };

export interface VideoSubject {
  tag: string;
  /** `grid`: one image with several views in it. */
  layout: 'single' | 'grid';
  imageUrls: readonly string[];
  voiceUrl?: string;
}

export interface VideoElement {
  name: string;
  description: string;
  /** The first shows the front. */
  imageUrls: readonly string[];
}

export interface VideoShot {
  prompt: string;
  seconds: number;
}

/**
 * The pattern of a regular expression for `@name`, by which a prompt calls a `VideoElement`. A name that ends in a letter,
 * digit or `_` is over where the word is, so that `@cat` is not in `@category`; scripts without blanks end it anywhere.
 */
export function elementCallPattern(name: string): string {
  const exact = name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return `@${exact}${/\w$/.test(name) ? '(?!\\w)' : ''}`;
}
