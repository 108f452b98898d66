import type { Storage } from './storage';
import type { StorageHealth } from './storage-health';

/** The same storage, whose own faults are known to `health` as soon as a call meets them. */
export function watchedStorage(storage: Storage, health: Pick<StorageHealth, 'use'>): Storage {
  return {
    ...storage,
    put: (key, body, facts) => health.use('storage', () => storage.put(key, body, facts), facts.bytes),
    open: (key, range) => health.use('storage', () => storage.open(key, range)),
  };
}
