import '@mediagate/require-node';
import { runWorker } from '@mediagate/worker-runtime';
import { ttsProfile } from './profile';

void runWorker(ttsProfile);
