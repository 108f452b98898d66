import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { PostgresAnswer } from '../src/environment';

const ROOT = join(__dirname, '../../..');

/** Does what Jest does: sets up, and goes on. Its keeper's number is printed too, so that a test can kill both. */
const RUN = `
  require('./packages/testkit/src/global-setup.ts').default().then(() => {
    const { MEDIAGATE_TEST_KEEPER_URL: keeperUrl, MEDIAGATE_TEST_REDIS_URL: redisUrl } = process.env;
    console.log(JSON.stringify({ keeperUrl, redisUrl, keeperPid: mediagateTestKeeper.pid }));
    setInterval(() => {}, 1000);
  });`;

interface Run {
  process: ChildProcess;
  keeperPid: number;
  /** Connections to its PostgreSQL and its Redis: they close when the servers end. */
  connections: Socket[];
}

let runs: Run[] = [];

afterEach(() => {
  for (const run of runs) run.process.kill('SIGKILL');
  runs = [];
});

async function startRun(): Promise<Run> {
  const { TEST_DATABASE_URL, TEST_REDIS_URL, DATABASE_URL, REDIS_URL, ...env } = process.env;
  const flags = ['--require', './scripts/register-typescript.cjs', '-e', RUN];
  const child = spawn(process.execPath, flags, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { keeperUrl, redisUrl, keeperPid } = JSON.parse(line.toString('utf8')) as Record<string, string>;
  const { adminUrl } = (await (await fetch(String(keeperUrl))).json()) as PostgresAnswer;
  const connections = await Promise.all([adminUrl, String(redisUrl)].map(open));
  const run = { process: child, keeperPid: Number(keeperPid), connections };
  runs.push(run);
  return run;
}

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  // A server that ends may reset the connection instead of closing it.
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}

function untilServersEnded({ connections }: Run): Promise<unknown> {
  return Promise.all(connections.map((socket) => (socket.closed ? undefined : once(socket, 'close'))));
}

describe('the servers of a test run', () => {
  it('end with it, also when it is killed', async () => {
    const run = await startRun();
    run.process.kill('SIGKILL');
    await untilServersEnded(run);
  });

  it('are ended by the next run when their keeper was killed too', async () => {
    const run = await startRun();
    run.process.kill('SIGKILL');
    process.kill(run.keeperPid, 'SIGKILL');
    await startRun();
    await untilServersEnded(run);
  });
});
