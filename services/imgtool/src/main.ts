import '@mediagate/require-node';
import { runWorker } from '@mediagate/worker-runtime';
import { imgtoolProfile } from './profile';

void runWorker(imgtoolProfile);
