import { join } from 'node:path';
import { loadConfig, spareMemoryWhenIdle, useEachAddress } from '@mediagate/host';
import type { DemoReport } from './demo/run-demo';
import { openHome } from './home';
import { lastLine } from './last-line';
import { openServiceLogs, type ServiceLogs } from './logs/service-logs';
import { keepFilesPrivate } from './private-files';
import { claimHome, type ProcessRecord } from './process-record';
import { reloadServices } from './reload-services';
import { createRunFile, type DemoState, RUN_FILE, type RunFile } from './run-file';
import { openScreen } from './screen/screen';
import { devSettings } from './settings';
import { shortPath } from './short-path';
import { printReport, tryEachFamily } from './show-demo';
import { type StartOptions, type System, startSystem, stopSystem } from './start-system';
import { onStopRequest } from './stop-request';
import { createSupervisor, type Supervisor } from './supervisor';
import { whereThingsAre } from './where-things-are';

const LOG_FOLDER = 'logs';

const screen = openScreen(process.stdout, process.env);

const say = (line: string) => screen.print(`mediagate: ${line}`);

/** The whole system on one machine: start it, show that it works, keep it up, stop it in order. */
async function main(): Promise<void> {
  useEachAddress();
  // scripts/run.sh has judged the options.
  const isVerbose = process.argv.includes('--verbose');
  const config = loadConfig(devSettings);
  const home = openHome(config.MEDIAGATE_HOME);
  keepFilesPrivate(home.path);
  const record = await claimHome(home, say);
  const runFile = createRunFile(home);
  runFile.remove();
  const logs = openServiceLogs({ folder: join(home.path, LOG_FOLDER), screen, isVerbose });

  const supervisor = createSupervisor({
    say,
    onChange(pids) {
      record.keep(pids).catch((error: Error) => say(`the processes could not be recorded: ${error.message}`));
      runFile.setProcesses(pids);
    },
  });
  const ending = stopOnRequest({ supervisor, logs, runFile, record });
  process.on('SIGUSR2', () => reloadServices(supervisor.pids(), { say }));
  try {
    const system = await start({ config, home, supervisor, logs, screen });
    const report = config.MEDIAGATE_DEMO ? await tryEachFamily(system, screen) : undefined;
    // A demo that runs while the system stops fails, and says nothing of the system.
    if (ending.hasBegun) return;
    const demo = stateOf(report);
    runFile.open(system, demo);
    if (report !== undefined) printReport(report, screen, logs.pathOf);
    for (const line of closingLines(system, demo, home.path)) screen.print(line);
  } catch (error) {
    if (ending.hasBegun) return;
    say((error as Error).message);
    await ending.stop(1);
  }
}

interface Running {
  supervisor: Supervisor;
  logs: ServiceLogs;
  runFile: RunFile;
  record: ProcessRecord;
}

function stopOnRequest({ supervisor, logs, runFile, record }: Running) {
  const ending = {
    hasBegun: false,
    async stop(exitCode: number): Promise<void> {
      ending.hasBegun = true;
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
    },
  };
  onStopRequest({
    stop(reason) {
      screen.close();
      say(`stopping (${reason}); once more to stop at once`);
      return ending.stop(0);
    },
    stopAtOnce() {
      supervisor.kill();
      process.exit(130);
    },
  });
  return ending;
}

async function start(options: StartOptions): Promise<System> {
  const system = await startSystem(options);
  // Otherwise the heap would keep what migrations and the check of the configuration needed.
  if (options.config.MEDIAGATE_PROCESSES === 'few') spareMemoryWhenIdle({ defer: () => undefined });
  return system;
}

function stateOf(report: DemoReport | undefined): DemoState {
  if (report === undefined) return 'skipped';
  return report.failures.length === 0 ? 'succeeded' : 'failed';
}

function closingLines(system: System, demo: DemoState, homePath: string): string[] {
  const logs = `${shortPath(join(homePath, LOG_FOLDER))}/<service>.log`;
  const runFile = shortPath(join(homePath, RUN_FILE));
  return ['', ...whereThingsAre(system, { logs, runFile }), '', lastLine(demo, system.missing)];
}

main().catch((error: Error) => {
  say(error.message);
  process.exit(1);
});
