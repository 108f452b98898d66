import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { useEachAddress } from '@mediagate/host/outgoing';
import { runCommandLine } from './run-command-line';

/** The exit code is set, not forced, so that what was written reaches a pipe whole. */
async function main(): Promise<void> {
  useEachAddress();
  // A reader that has seen enough, as `head` does, is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    env: process.env,
    stdout: (words) => process.stdout.write(words),
    stderr: (words) => process.stderr.write(words),
    stdin: () => text(process.stdin),
    userName: userName(),
  });
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

void main();
