import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Payer } from './books';

const ROOT = join(__dirname, '../../..');

export interface TextLine {
  accountId: string;
  taskId: string;
  /** `drawn` or `booked`: its vendor has answered. Else why it was refused. */
  way: string;
  beganAt: number;
}

export interface CreditProcess {
  lines(): TextLine[];
  /** Resolves once the lines do; rejects if the process ends before. */
  until(isEnough: (lines: readonly TextLine[]) => boolean): Promise<void>;
  send(message: string): void;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Once it is dead, and all that it wrote is read. */
  kill(): Promise<{ diedAt: number }>;
  ended(): Promise<void>;
}

/** One of the programs beside this file. */
export function openCreditProcess(
  databaseUrl: string,
  payers: readonly Payer[],
  settings: Readonly<Record<string, string | number>>,
  program: 'credit-process.ts' | 'credit-death.ts' = 'credit-process.ts',
): CreditProcess {
  const hooks = ['register-typescript.cjs', 'end-with-parent.cjs'];
  const requires = hooks.flatMap((file) => ['--require', join(ROOT, 'scripts', file)]);
  const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
  const child = spawn(process.execPath, ['--conditions=source', ...requires, join(__dirname, program)], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, PAYERS: JSON.stringify(payers), ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return watch(child);
}

function watch(child: ChildProcess): CreditProcess {
  const { stdout } = child;
  if (stdout === null) throw new Error('its output is not a pipe');
  const lines: TextLine[] = [];
  const heard = new Set<() => void>();
  let rest = '';
  stdout.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk}`.split('\n');
    // What was cut in two by a kill is no line.
    rest = parts.pop() ?? '';
    lines.push(...parts.map(lineOf));
    for (const hear of heard) hear();
  });
  const gone = Promise.all([once(child, 'exit'), once(stdout, 'end')]);
  return {
    lines: () => lines,
    until: (isEnough) =>
      new Promise((resolve, reject) => {
        const hear = () => {
          if (!isEnough(lines)) return;
          heard.delete(hear);
          resolve();
        };
        heard.add(hear);
        const end = () => reject(new Error('it ended by itself'));
        if (child.exitCode !== null) end();
        child.once('exit', end);
        hear();
      }),
    send: (message) => void child.send(message),
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      const diedAt = Date.now();
      await gone;
      return { diedAt };
    },
    async ended() {
      await gone;
    },
  };
}

function lineOf(text: string): TextLine {
  const [accountId, taskId, way, beganAt] = JSON.parse(text);
  return { accountId, taskId, way, beganAt };
}
