import type { Clock } from '../clock';
import type { PictureShelf } from '../media/picture-shelf';
import type { PictureSource } from '../media/picture-source';
import type { Gallery } from './gallery';
import type { Notifier } from './notifier';
import type { MjAccount } from './task';

/** What the vendor's operations work with. */
export interface MjTools {
  clock: Clock;
  account: MjAccount;
  gallery: Gallery;
  shelf: PictureShelf;
  /** Fetches a picture that a request names. */
  bringIn: PictureSource;
  notifier: Notifier;
}
