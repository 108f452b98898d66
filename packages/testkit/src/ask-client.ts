import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Some clients take seconds to load, and the answers of the simulator hold files. */
const LIMITS = { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };

/** Runs a vendor's own client, an ES module that Jest does not load, and gives what it printed of the answers it got. */
export async function askClient<Verdict>(program: string, ...args: string[]): Promise<Verdict> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], LIMITS);
  return JSON.parse(stdout) as Verdict;
}
