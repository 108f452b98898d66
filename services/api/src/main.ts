import '@mediagate/require-node';
import { loadConfig, run, spareMemoryUnderPressure } from '@mediagate/host';
import { apiSettings } from './config';
import { startApi } from './start-api';

void run('api', async (scope) => {
  spareMemoryUnderPressure(scope);
  await startApi(scope, { config: loadConfig(apiSettings) });
});
