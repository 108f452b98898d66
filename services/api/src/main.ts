import '@mediagate/require-node';
import { loadConfig, run } from '@mediagate/host';
import { apiSettings } from './config';
import { startApi } from './start-api';

void run('api', async (scope) => {
  await startApi(scope, { config: loadConfig(apiSettings) });
});
