import type { Adapter } from '@mediagate/upstreams';
import type { WorkerDeps } from '../../src/worker-deps';

/** Replaces parts of every adapter. */
export const withAdapters =
  (change: (adapter: Adapter) => Partial<Adapter>) =>
  (deps: WorkerDeps): WorkerDeps => ({
    ...deps,
    adapters: new Map([...deps.adapters].map(([protocol, adapter]) => [protocol, { ...adapter, ...change(adapter) }])),
  });
