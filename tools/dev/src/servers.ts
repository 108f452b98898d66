import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RedisProgram, startPostgres, startRedis } from '@mediagate/testkit/servers';
import type { Home } from './home';
import type { Supervisor } from './supervisor';

export interface ServerDeps {
  home: Home;
  /** With few processes PostgreSQL takes little memory, too. */
  processes: 'many' | 'few';
  supervisor: Supervisor;
  portOf(part: string): Promise<number>;
}

/** The databases' names as parts, in the order in which they are stopped. */
export const SERVERS = ['redis', 'postgres'];

/** The address of PostgreSQL: the given one, or that of a server of our own that is kept up from now on. */
export async function openPostgres(given: string | undefined, deps: ServerDeps): Promise<string> {
  if (given !== undefined) return given;
  const port = await deps.portOf('postgres');
  const directory = join(deps.home.path, 'postgres');
  let url = '';
  await deps.supervisor.start({
    name: 'postgres',
    async start() {
      const server = await startPostgres({ directory, port, durable: true, isSmall: deps.processes === 'few' });
      url = server.url;
      return server;
    },
  });
  return url;
}

export interface OwnRedis {
  /** Undefined where an address is given. */
  program: RedisProgram | undefined;
  /** It lets in only who knows it. */
  password: string;
}

/** The address of Redis, in the same way. */
export async function openRedis(
  given: string | undefined,
  { program, password }: OwnRedis,
  deps: ServerDeps,
): Promise<string> {
  if (given !== undefined) return given;
  if (program === undefined) throw new TypeError('there is no program to start Redis with');
  const port = await deps.portOf('redis');
  const directory = join(deps.home.path, 'redis');
  mkdirSync(directory, { recursive: true });
  let url = '';
  await deps.supervisor.start({
    name: 'redis',
    async start() {
      const server = await startRedis({ program, directory, port, durable: true, password });
      url = server.url;
      return server;
    },
  });
  return url;
}
