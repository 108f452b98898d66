// LiteLLM's proxy as pip brings it: one worker, production mode, no database, no key, no callbacks, nothing logged but errors,
// no telemetry and no list of prices from the network. Its order asks for the process that does the work.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, untilReady } from '@mediagate/testkit/servers';
import { announce, serveOrders } from '../src/program';

const { LITELLM = '', DIRECTORY = '', UPSTREAM_URL = '' } = process.env;

const SETTINGS = {
  model_list: [
    {
      model_name: 'bench',
      litellm_params: { model: 'openai/bench', api_base: `${UPSTREAM_URL}/v1`, api_key: 'bench' },
    },
  ],
  litellm_settings: { callbacks: [], set_verbose: false, telemetry: false },
  general_settings: { disable_spend_logs: true },
};
const ENVIRONMENT = {
  LITELLM_LOG: 'ERROR',
  LITELLM_MODE: 'PRODUCTION',
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  // Production mode does not start without a key, which would have to be checked at every call.
  LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
};

async function start(): Promise<void> {
  const port = await freePort();
  const config = join(DIRECTORY, 'litellm.yaml');
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(SETTINGS));
  const flags = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'];
  const child = spawn(LITELLM, [...flags, '--telemetry', 'False'], {
    env: { PATH: process.env['PATH'] ?? '', ...ENVIRONMENT },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  process.once('SIGTERM', () => process.exit());
  child.once('exit', () => process.exit(1));
  await untilReady(child, `http://127.0.0.1:${port}/health/liveliness`);
  serveOrders(async () => ({ pid: child.pid }));
  announce({ port });
}

start().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
