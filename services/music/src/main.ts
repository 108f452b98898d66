import { runWorker } from '@mediagate/worker-runtime';
import { musicProfile } from './profile';

void runWorker(musicProfile);
