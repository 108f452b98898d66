export { createPemReader, isAbsent, openPair, readPair } from './open-signer';
export { workerService } from './open-worker';
export type { FamilyProfile, StoredOutput } from './profile';
export { signingStateOf } from './signing-state';
export { signingSettings, workerSettings } from './worker-settings';
