import { workerService } from '@mediagate/worker-runtime';
import { musicProfile } from './profile';

export const service = workerService(musicProfile);
