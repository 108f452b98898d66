import { run } from '@mediagate/host';
import { service } from './profile';

void run(service);
