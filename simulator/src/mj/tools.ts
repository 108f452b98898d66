import type { Clock } from '../clock';
import type { ImageShelf } from '../media/image-shelf';
import type { ImageSource } from '../media/image-source';
import type { Gallery } from './gallery';
import type { MjAccount } from './task';

/** Tools that the vendor's operations work with. */
export interface MjTools {
  clock: Clock;
  account: MjAccount;
  gallery: Gallery;
  shelf: ImageShelf;
  /** Fetches an image that a request names. */
  bringIn: ImageSource;
}
