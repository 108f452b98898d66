import type { Clock } from '../clock';
import type { ImageSource } from '../media/image-source';
import type { MjAccount } from './task';

/** Tools that the vendor's operations work with. */
export interface MjTools {
  clock: Clock;
  account: MjAccount;
  /** Fetches an image that a request names. */
  bringIn: ImageSource;
}
