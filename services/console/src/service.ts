import { loadConfig, type Scope, type Service } from '@mediagate/host';
import { consoleSettings } from './config';
import { startConsole } from './start-console';

export const service: Service = { name: 'console', main };

async function main(scope: Scope): Promise<void> {
  await startConsole(scope, { config: loadConfig(consoleSettings) });
}
