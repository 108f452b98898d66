import type { Router } from 'express';
import type { Asset } from './assets/asset-store';
import type { JobStore } from './jobs/job-store';
import type { Wire } from './vendor-call/contract';
import type { CallSurroundings } from './vendor-call/exchange';

/** One vendor as the application mounts it, below `/{wire.name}`. */
export interface Vendor {
  wire: Wire;
  around: CallSurroundings;
  router: Router;
  /** Where it keeps its asynchronous jobs. */
  stores: JobStore<unknown>[];
  /** Where it is mounted, when that is not `/{wire.name}` alone. */
  paths?: string[];
  /** A result file that no job's film is. */
  findFile?: (id: string) => Asset | undefined;
}
