import { loadConfig, run, spareMemoryUnderPressure } from '@mediagate/host';
import { apiSettings } from './config';
import { startApi } from './start-api';

void run({
  name: 'api',
  async main(scope) {
    spareMemoryUnderPressure(scope);
    await startApi(scope, { config: loadConfig(apiSettings) });
  },
});
