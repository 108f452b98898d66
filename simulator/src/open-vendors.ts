import { findVendors } from './find-vendors';
import { createCallbacks } from './jobs/callbacks';
import type { JobStore } from './jobs/job-store';
import type { Vendor, VendorTools } from './vendor';
import { createAccount, type Limits } from './vendor-call/account';
import type { CallSurroundings } from './vendor-call/exchange';

export interface VendorsOptions {
  /** The tools that all vendors share. */
  tools: Omit<VendorTools, 'jobs'>;
  around: Omit<CallSurroundings, 'account' | 'callbacks' | 'findJob'>;
  /** Virtual milliseconds from the start of a job to its end. */
  jobMs: number;
  wide: Limits;
}

export interface OpenedVendors {
  vendors: Vendor[];
  /** The job stores of all vendors. */
  stores: JobStore<unknown>[];
  /** Every account may do what it might at the start. */
  resetLimits(): void;
}

/** Every vendor, with an account of its own. */
export function openVendors({ tools, around, jobMs, wide }: VendorsOptions): OpenedVendors {
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
    const account = createAccount(clock, wide);
    const concurrentJobs = () => account.limits().concurrentJobs;
    return create({ ...tools, jobs: { clock, jobMs, concurrentJobs } }, { ...around, account, callbacks, findJob });
  });
  const stores = vendors.flatMap((vendor) => vendor.stores);
  const resetLimits = () => {
    for (const { around: own } of vendors) own.account.limit({});
  };
  return { vendors, stores, resetLimits };
}
