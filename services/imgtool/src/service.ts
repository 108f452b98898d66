import { workerService } from '@mediagate/worker-runtime';
import { imgtoolProfile } from './profile';

export const service = workerService(imgtoolProfile);
