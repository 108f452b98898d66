import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { createKlingAccount } from './account';
import { klingRoutes } from './routes';
import { klingWire } from './wire';

/** Videos and the elements that they are made with, by jobs that are asked about. */
export default function createKling(tools: VendorTools, around: CallSurroundings): Vendor {
  const account = createKlingAccount(tools.jobs);
  const stores = [account.videos, account.elements];
  return { wire: klingWire, around, router: klingRoutes(tools, account, around), stores };
}
