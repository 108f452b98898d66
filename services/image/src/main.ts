import '@mediagate/require-node';
import { runWorker } from '@mediagate/worker-runtime';
import { imageProfile } from './profile';

void runWorker(imageProfile);
