import type { Nano } from './money';

/** A vendor's charge for a call, and its source: the channel's configuration, or the vendor. */
export interface VendorCost {
  nano: Nano;
  origin: 'declared' | 'reported';
}
