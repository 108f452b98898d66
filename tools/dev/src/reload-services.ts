import { findServices } from './services';

export interface ReloadOptions {
  say(line: string): void;
  kill?(pid: number, signal: NodeJS.Signals): void;
}

/**
 * Has every service read the channels file again. SIGHUP to `npm start` itself is what a closed terminal sends, and stops
 * everything, so it is asked for by another signal.
 */
export function reloadServices(
  pids: Readonly<Record<string, number>>,
  { say, kill = killIfAlive }: ReloadOptions,
): void {
  const services = findServices().flatMap((name) => pids[name] ?? []);
  for (const pid of services) kill(pid, 'SIGHUP');
  say(`${services.length} services are to read the channels file again`);
}

/** One that has just died reads the file when it is started again. */
function killIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
