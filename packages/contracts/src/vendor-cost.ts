import type { Nano } from './money';

/** What a vendor charges for a call, and who says so: the channel's configuration, or the vendor. */
export interface VendorCost {
  nano: Nano;
  origin: 'declared' | 'reported';
}
