import '@mediagate/require-node';
import { runWorker } from '@mediagate/worker-runtime';
import { videoProfile } from './profile';

void runWorker(videoProfile);
