import '@mediagate/require-node';
import { runWorker } from '@mediagate/worker-runtime';
import { musicProfile } from './profile';

void runWorker(musicProfile);
