import { workerService } from '@mediagate/worker-runtime';
import { ttsProfile } from './profile';

export const service = workerService(ttsProfile);
