/**
 * One image job in terms no vendor owns: a catalogue entry makes it from the caller's input, an adapter turns it into its
 * vendor's fields. The files of an edit travel beside it as loaded media, images first in the caller's order, then the mask.
 */
export interface ImageRequest {
  prompt: string;
  /** Images wanted. */
  n: number;
  /** Exact pixels, a preset the vendor resolves itself, or the vendor's own choice. */
  size: { width: number; height: number } | { preset: '512' | '1K' | '2K' | '3K' | '4K' } | 'auto';
  /** For vendors that take a ratio instead of pixels, as `16:9`; absent: the vendor's choice. */
  aspectRatio?: string;
  quality?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | 'auto';
  background?: 'transparent' | 'opaque' | 'auto';
  outputFormat?: 'png' | 'jpeg' | 'webp';
  /** 0 to 100. */
  outputCompression?: number;
  moderation?: 'low' | 'auto';
  watermark?: boolean;
}
