import type { Clock } from '../clock';
import type { PictureShelf } from '../media/picture-shelf';
import type { PictureSource } from '../media/picture-source';
import type { ReferenceSource } from '../media/reference-source';

/** What every video vendor works with. */
export interface VideoTools {
  clock: Clock;
  /** Fetches a picture that a request names. */
  bringIn: PictureSource;
  /** Looks whether another file that a request names is there. */
  reach: ReferenceSource;
  shelf: PictureShelf;
}
