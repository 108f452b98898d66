import { workerService } from '@mediagate/worker-runtime';
import { videoProfile } from './profile';

export const service = workerService(videoProfile);
