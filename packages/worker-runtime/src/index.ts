export type { FamilyProfile, StoredOutput } from './profile';
export { workerService } from './worker-service';
export { workerSettings } from './worker-settings';
