import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Running,
  type RunningProgram,
  type RunningService,
  startProgram,
  startService,
} from './machine/processes';
import type { Servers } from './machine/servers';
import type { Pace } from './measure/interleave';

/** Everything that one comparison runs on. All that it starts ends with it. */
export interface Stage {
  servers: Servers;
  pace: Pace;
  /** A folder of the comparison's own. */
  directory: string;
  /** Writes a line on the screen. */
  say(line: string): void;
  /** True: try it out with little data. */
  quick: boolean;
  /** Tasks in the database whose lists are measured; undefined: as many as the comparison takes by itself. */
  rows: number | undefined;
  /** Names of the cases to run, of a comparison that has several; undefined: all. */
  cases: readonly string[] | undefined;
  /** A database of its own, with the product's schema. */
  createDatabase(name: string): Promise<string>;
  /** A service of the product, or the simulator. */
  startService(name: string, env: Record<string, string>, readyUrl?: string): Promise<RunningService>;
  /** A program of this folder, for example `reference/naive-api.ts`. */
  startProgram(path: string, env: Record<string, string>): Promise<RunningProgram>;
  stop(running: Running): Promise<void>;
  /** Runs at the end, in reverse order, whatever happens. */
  defer(close: () => Promise<void> | void): void;
}

export interface StageOptions extends Pick<Stage, 'servers' | 'pace' | 'quick' | 'rows' | 'cases' | 'say'> {
  /** The comparison's name, which is part of the names of its databases and folder. */
  name: string;
  directory: string;
  /** Where CPU profiles of the product's services go; undefined: none are taken. */
  profileDirectory: string | undefined;
}

/** Runs `act` on a stage and leaves nothing behind: no process, no job in Redis. */
export async function onStage<T>(options: StageOptions, act: (stage: Stage) => Promise<T>): Promise<T> {
  const { name, servers, profileDirectory, directory: parent, ...given } = options;
  const directory = join(parent, name);
  mkdirSync(directory, { recursive: true });
  const closers: (() => Promise<void> | void)[] = [];
  const running = new Set<Running>();
  const logFile = (program: string) => join(directory, `${program.replaceAll(/\W/g, '-')}.log`);
  const nodeArguments = profileDirectory === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDirectory];

  async function keep<R extends Running>(start: Promise<R>): Promise<R> {
    const started = await start;
    running.add(started);
    return started;
  }

  const stage: Stage = {
    ...given,
    servers,
    directory,
    createDatabase: (database) => servers.createDatabase(`bench_${name}_${database}`.replaceAll('-', '_')),
    startService: (service, env, readyUrl) => {
      const untilReady = readyUrl === undefined ? {} : { readyUrl };
      return keep(startService(service, { env, logFile: logFile(service), nodeArguments, ...untilReady }));
    },
    startProgram: (path, env) => keep(startProgram(path, { env, logFile: logFile(path) })),
    async stop(program) {
      running.delete(program);
      await program.stop();
    },
    defer: (close) => void closers.push(close),
  };
  try {
    return await act(stage);
  } finally {
    await Promise.all([...running].map((program) => program.stop()));
    for (const close of closers.reverse()) await close();
    await servers.flushRedis();
  }
}
