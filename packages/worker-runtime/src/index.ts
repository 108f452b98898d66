export { workerService } from './open-worker';
export type { FamilyProfile, StoredOutput } from './profile';
export { workerSettings } from './worker-settings';
