import { workerService } from '@mediagate/worker-runtime';
import { imageProfile } from './profile';

export const service = workerService(imageProfile);
