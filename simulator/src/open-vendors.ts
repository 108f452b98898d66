import { findVendors } from './find-vendors';
import { createCallbacks } from './jobs/callbacks';
import type { JobStore } from './jobs/job-store';
import type { Vendor, VendorTools } from './vendor';
import type { CallSurroundings } from './vendor-call/exchange';
import { createRateWindow } from './vendor-call/rate-window';

export interface VendorsOptions {
  /** The tools that all vendors share. */
  tools: Omit<VendorTools, 'jobs'>;
  around: Omit<CallSurroundings, 'rateWindow' | 'callbacks' | 'findJob'>;
  /** Virtual milliseconds from the start of a job to its end. */
  jobMs: number;
  /** The limit of each vendor at the start. */
  requestsPerMinute: number;
}

export interface OpenedVendors {
  vendors: Vendor[];
  /** The job stores of all vendors. */
  stores: JobStore<unknown>[];
  /** Every vendor takes as many starts as at first. */
  resetLimits(): void;
}

/** Every vendor, with an account of its own. */
export function openVendors({ tools, around, jobMs, requestsPerMinute }: VendorsOptions): OpenedVendors {
  const { clock, closing } = around;
  const callbacks = createCallbacks({ clock, hosts: tools.fetchHosts, closing });
  const findJob = (wire: string, id: string) => {
    for (const store of stores) {
      const job = store.wire === wire ? store.find(id) : undefined;
      if (job) return job;
    }
    return undefined;
  };
  const vendors = findVendors().map((create): Vendor => {
    const rateWindow = createRateWindow(clock, requestsPerMinute);
    return create({ ...tools, jobs: { clock, jobMs } }, { ...around, rateWindow, callbacks, findJob });
  });
  const stores = vendors.flatMap((vendor) => vendor.stores);
  const resetLimits = () => {
    for (const { around: own } of vendors) own.rateWindow.limit();
  };
  return { vendors, stores, resetLimits };
}
