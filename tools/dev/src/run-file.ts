import type { Home } from './home';
import type { System } from './start-system';

export type DemoState = 'succeeded' | 'failed' | 'skipped';

export const RUN_FILE = 'run.json';

/** `run.json`: addresses, credentials and processes of the system that runs, for people, tests and the command line. */
export interface RunFile {
  /** From now on it is kept true. */
  open(system: System, demo: DemoState): void;
  setProcesses(processes: Record<string, number>): void;
  remove(): void;
}

export function createRunFile(home: Home): RunFile {
  let processes: Record<string, number> = {};
  let content: object | undefined;
  const write = () => {
    if (content !== undefined) home.write(RUN_FILE, { ...content, processes });
  };
  return {
    open(system, demo) {
      content = { ...describe(system), demo };
      write();
    },
    setProcesses(pids) {
      processes = pids;
      write();
    },
    remove() {
      content = undefined;
      home.remove(RUN_FILE);
    },
  };
}

function describe({ account, console, ...system }: System) {
  const { baseUrl, simulatorUrl, databaseUrl, redisUrl, configFile, adminToken } = system;
  const { apiKey, testApiKey, webhookSecret } = account;
  const { url: consoleUrl, operator, customer, password: consolePassword } = console;
  const users = { consoleUser: operator.email, consoleAccountUser: customer.email };
  const ofConsole = { consoleUrl, ...users, consolePassword, adminToken };
  return { baseUrl, apiKey, testApiKey, webhookSecret, ...ofConsole, simulatorUrl, databaseUrl, redisUrl, configFile };
}
