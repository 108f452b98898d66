export type { FamilyProfile, StoredOutput } from './profile';
export { runWorker } from './run-worker';
export { workerSettings } from './worker-settings';
