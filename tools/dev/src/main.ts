import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '@mediagate/host';
import { openHome } from './home';
import { openServiceLogs } from './logs/service-logs';
import { keepFilesPrivate } from './private-files';
import { claimHome } from './process-record';
import { createRunFile, type DemoState } from './run-file';
import { openScreen } from './screen/screen';
import { devSettings } from './settings';
import { shortPath } from './short-path';
import { showDemo } from './show-demo';
import { startSystem, stopSystem } from './start-system';
import { onStopRequest } from './stop-request';
import { createSupervisor } from './supervisor';
import { whereThingsAre } from './where-things-are';

const screen = openScreen(process.stdout, process.env);

const say = (line: string) => screen.print(`mediagate: ${line}`);

/** The whole system on one machine: start it, show that it works, keep it up, stop it in order. */
async function main(): Promise<void> {
  const { verbose: isVerbose } = parseArgs({ options: { verbose: { type: 'boolean', default: false } } }).values;
  const config = loadConfig(devSettings);
  const home = openHome(config.MEDIAGATE_HOME);
  keepFilesPrivate(home.path);
  const record = await claimHome(home, say);
  const runFile = createRunFile(home);
  runFile.remove();
  const logFolder = join(home.path, 'logs');
  const logs = openServiceLogs({ folder: logFolder, screen, isVerbose });

  const supervisor = createSupervisor({
    say,
    onChange(pids) {
      record.keep(pids).catch((error: Error) => say(`the processes could not be recorded: ${error.message}`));
      runFile.setProcesses(pids);
    },
  });
  let stopping = false;
  async function stop(exitCode: number): Promise<void> {
    stopping = true;
    try {
      await stopSystem(supervisor);
      await logs.close();
      runFile.remove();
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
      screen.close();
      say(`stopping (${reason}); once more to stop at once`);
      return stop(0);
    },
    stopAtOnce() {
      supervisor.kill();
      process.exit(130);
    },
  });

  try {
    const system = await startSystem({ config, home, supervisor, logs, screen });
    const demo = config.MEDIAGATE_DEMO ? await showDemo(system, screen, logs.pathOf) : 'skipped';
    if (stopping) return;
    runFile.open(system, demo);
    screen.print('');
    const paths = { logs: `${shortPath(logFolder)}/<service>.log`, runFile: shortPath(join(home.path, 'run.json')) };
    for (const line of whereThingsAre(system, paths)) screen.print(line);
    screen.print('');
    screen.print(lastLine(demo, system.missing));
  } catch (error) {
    if (stopping) return;
    say((error as Error).message);
    await stop(1);
  }
}

/** Whoever started it reads how it went from this alone. */
function lastLine(demo: DemoState, missing: readonly string[]): string {
  if (demo === 'failed') return 'mediagate is up, but the demo failed';
  if (missing.length > 0) return `NOT ready: ${missing.join(', ')} is missing`;
  return 'mediagate is ready';
}

main().catch((error: Error) => {
  say(error.message);
  process.exit(1);
});
