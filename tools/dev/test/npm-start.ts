import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { untilExit } from '@mediagate/testkit/servers';

const ROOT = join(__dirname, '../../..');
const FROM_SOURCES = ['--require', join(ROOT, 'scripts/register-typescript.cjs')];
/** With it the shell lets everybody read and write what the command makes, unless that says otherwise. */
const OPEN_UMASK = ['-c', 'umask 0; exec "$0" "$@"'];

export interface NpmStart {
  pid: number;
  /** All it has printed. */
  output(): string;
  /** Resolves with the last line once one of these is printed. @throws Error when it ends before. */
  untilLine(...lines: string[]): Promise<string>;
  /** Its exit code, once it has ended by itself. */
  ended: Promise<number | null>;
  kill(): Promise<void>;
  /** SIGTERM; its exit code. */
  stop(): Promise<number | null>;
}

/** Starts the program that `npm start` runs once the checkout is ready, from the sources, in a shell with an open umask. */
export function npmStart(env: Record<string, string>): NpmStart {
  const child: ChildProcess = spawn(
    '/bin/sh',
    [...OPEN_UMASK, process.execPath, ...FROM_SOURCES, join(ROOT, 'tools/dev/src/main.ts')],
    { cwd: ROOT, env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = untilExit(child);
  const changes = new EventEmitter();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      changes.emit('change');
    });
  }
  void exited.then(() => changes.emit('change'));

  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended: exited.then(({ code }) => code),
    async untilLine(...lines) {
      for (;;) {
        const line = output.split('\n').find((printed) => lines.includes(printed));
        if (line !== undefined) return line;
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`npm start ended:\n${output}`);
        await once(changes, 'change');
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      return (await exited).code;
    },
  };
}
