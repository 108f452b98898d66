import type { Storage } from './storage';
import type { StorageHealth } from './storage-health';

/** The same storage, whose own faults are known to `health` as soon as a call meets them. */
export function watchedStorage(storage: Storage, health: Pick<StorageHealth, 'use' | 'look'>): Storage {
  return {
    ...storage,
    put: (key, body, facts) => health.use('storage', () => storage.put(key, body, facts), facts.bytes),
    // One object that cannot be read says nothing of what can be kept: the probe does.
    open: (key, range) => health.look('storage', () => storage.open(key, range)),
  };
}
