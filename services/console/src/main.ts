import '@mediagate/require-node';
import { loadConfig, run } from '@mediagate/host';
import { consoleSettings } from './config';
import { startConsole } from './start-console';

void run('console', async (scope) => {
  await startConsole(scope, { config: loadConfig(consoleSettings) });
});
