import { run } from '@mediagate/host';
import { service } from './service';

void run(service);
