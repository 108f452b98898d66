import { loadConfig } from '@mediagate/host';
import { createGatewayClient } from './demo/gateway-client';
import { DEMO_JOBS } from './demo/jobs';
import { runDemo } from './demo/run-demo';
import { openHome } from './home';
import { keepFilesPrivate } from './private-files';
import { claimHome } from './process-record';
import { devSettings } from './settings';
import { type System, startSystem, stopSystem } from './start-system';
import { onStopRequest } from './stop-request';
import { createSupervisor } from './supervisor';

const RUN_FILE = 'run.json';

const say = (line: string) => process.stdout.write(`mediagate: ${line}\n`);

/** The whole system on one machine: start it, show that it works, keep it up, stop it in order. */
async function main(): Promise<void> {
  const config = loadConfig(devSettings);
  const home = openHome(config.MEDIAGATE_HOME);
  keepFilesPrivate(home.path);
  const record = await claimHome(home, say);
  home.remove(RUN_FILE);

  let ready: System | undefined;
  const supervisor = createSupervisor({
    say,
    onChange(pids) {
      record.keep(pids).catch((error: Error) => say(`the processes could not be recorded: ${error.message}`));
      if (ready !== undefined) home.write(RUN_FILE, toRunFile(ready, pids));
    },
  });
  let stopping = false;
  async function stop(exitCode: number): Promise<void> {
    stopping = true;
    try {
      await stopSystem(supervisor);
      home.remove(RUN_FILE);
      record.clear();
      if (exitCode === 0) say('stopped');
      process.exit(exitCode);
    } catch (error) {
      say(`could not be stopped: ${(error as Error).message}`);
      process.exit(1);
    }
  }
  onStopRequest({
    stop(reason) {
      say(`stopping (${reason}); once more to stop at once`);
      return stop(0);
    },
    stopAtOnce() {
      supervisor.kill();
      process.exit(130);
    },
  });

  try {
    const system = await startSystem({ config, home, supervisor, say });
    if (config.MEDIAGATE_DEMO) await showThatItWorks(system);
    ready = system;
    home.write(RUN_FILE, toRunFile(system, supervisor.pids()));
    say(`the API is at ${system.baseUrl}; key and addresses are in ${home.path}/${RUN_FILE}`);
    const { missing } = system;
    process.stdout.write(
      missing.length === 0 ? 'mediagate is ready\n' : `NOT ready: ${missing.join(', ')} is missing\n`,
    );
  } catch (error) {
    if (stopping) return;
    say((error as Error).message);
    await stop(1);
  }
}

/** A demo that fails is said plainly, and the system stays up to be looked at. */
async function showThatItWorks({ services, account, receiver, baseUrl }: System): Promise<void> {
  const gateway = createGatewayClient({ baseUrl, apiKey: account.apiKey });
  const jobs = DEMO_JOBS.filter(({ service }) => services.includes(service));
  try {
    const succeeded = await runDemo(jobs, { gateway, receiver, say });
    if (!succeeded) say('the demo FAILED');
  } catch (error) {
    say(`the demo FAILED: ${(error as Error).message}`);
  }
}

function toRunFile(system: System, processes: Record<string, number>) {
  const { baseUrl, account, console, simulatorUrl, databaseUrl, redisUrl, services } = system;
  const { apiKey, webhookSecret } = account;
  const { url: consoleUrl, user: consoleUser, password: consolePassword } = console;
  const ofConsole = services.includes('console') ? { consoleUrl, consoleUser, consolePassword } : {};
  return { baseUrl, apiKey, webhookSecret, ...ofConsole, simulatorUrl, databaseUrl, redisUrl, processes };
}

main().catch((error: Error) => {
  say(error.message);
  process.exit(1);
});
