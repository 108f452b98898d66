import type { Clock } from '../clock';
import type { ImageSource } from '../media/image-source';
import type { ReferenceSource } from '../media/reference-source';

/** Tools that every video vendor works with. */
export interface VideoTools {
  clock: Clock;
  /** Fetches an image that a request names. */
  bringIn: ImageSource;
  /** Looks whether another file that a request names is there. */
  reach: ReferenceSource;
}
