import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../..');
const SCRIPTS = join(ROOT, 'scripts');
const MAX_OUTPUT_CHARACTERS = 2_000_000;

/** A program of a checkout that runs by Node, until it or this process ends. */
export interface StartedProcess {
  child: ChildProcess;
  /** The end of what it has printed. */
  output(): string;
  /** Resolves once a line was printed that has all the texts; rejects when the process ends without. */
  printed(...texts: string[]): Promise<void>;
  /** The exit code, when all that it printed has arrived; null when a signal ended it. */
  exit: Promise<number | null>;
}

export interface ProcessOptions {
  /** A file of TypeScript is compiled while it is loaded. */
  main: string;
  args?: readonly string[];
  /** Flags of Node itself. */
  flags?: readonly string[];
  /** The variables beside PATH. */
  env?: NodeJS.ProcessEnv;
  /** The folder that `main` is relative to. */
  checkout?: string | undefined;
}

export function startProcess(options: ProcessOptions): StartedProcess {
  const { main, args = [], flags = [], env, checkout = ROOT } = options;
  const loaded = [...(main.endsWith('.ts') ? ['register-typescript.cjs'] : []), 'end-with-parent.cjs'];
  const required = loaded.flatMap((script) => ['--require', join(SCRIPTS, script)]);
  const child = spawn(process.execPath, [...flags, ...required, main, ...args], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARACTERS);
      for (const listener of listeners) listener();
    });
  }
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const printed = (...texts: string[]) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (output.split('\n').some((line) => texts.every((text) => line.includes(text)))) resolve();
      };
      listeners.add(look);
      look();
      void exit.then(() => reject(new Error(`ended without printing ${texts}:\n${output}`)));
    });
  return { child, exit, printed, output: () => output };
}
