// Measures the product's statements beside the driver alone, Prisma's raw queries and its models: `node --require
// ./scripts/register-typescript.cjs bench/src/database-doors.ts [rounds]`, on Node 24. One connection each, one
// statement at a time, in short turns; the CPU of Node is that of this process. docs/adr/0020 has what it gave.
import { join } from 'node:path';
import { topUp } from '@mediagate/billing';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { openDatabase } from '@mediagate/database';
import { createAccount, createKey } from '@mediagate/identity';
import {
  type Door,
  openDriverDoor,
  openModelDoor,
  openProductDoor,
  openRawQueryDoor,
} from '../reference/database-doors';
import { type Owner, ownerOf } from '../reference/door-statements';
import { cpuMicros } from './machine/cpu';
import { ROOT } from './machine/processes';
import { openServers, type Servers } from './machine/servers';
import { median } from './measure/statistics';

const SLICE_MS = 800;
const DEFAULT_ROUNDS = 12;
const READABLE_TASKS = 2000;
const MAX_BATCH_ITEMS = 64;

/** The cost of one operation. */
interface Cost {
  wallMicros: number;
  nodeMicros: number;
  postgresMicros: number;
}

interface Work {
  name: string;
  /** Undefined: not by this door. */
  by(door: Door): (() => Promise<unknown> | undefined) | undefined;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? DEFAULT_ROUNDS);
  const servers = await openServers(join(ROOT, '.mediagate/bench-doors'), say);
  const url = await servers.createDatabase('bench_doors');
  const doors = [openProductDoor(url), openDriverDoor(url), openRawQueryDoor(url), openModelDoor(url)];

  const works = await prepareWorks(url, doors[0] as Door);
  try {
    const costs = await measure({ servers, doors, works, rounds });
    for (const { work, door, slices } of costs) say(lineOf(work, door, slices));
    for (const door of doors) {
      for (const plan of (await door.plans?.()) ?? []) say(`${door.name}: ${JSON.stringify(plan)}`);
    }
  } finally {
    for (const door of doors) await door.close();
    await servers.close();
  }
}

async function prepareWorks(url: string, door: Door): Promise<Work[]> {
  const owner = await openAccount(url);
  const ids = Array.from({ length: READABLE_TASKS }, () => newTaskId());
  for (let from = 0; from < ids.length; from += MAX_BATCH_ITEMS) {
    await door.submit?.(owner, ids.slice(from, from + MAX_BATCH_ITEMS));
  }
  const some = () => ids[Math.floor(Math.random() * ids.length)] as TaskId;
  const submit = (count: number): Work => ({
    name: `submit ${count}`,
    by: (each) =>
      each.submit &&
      (() =>
        each.submit?.(
          owner,
          Array.from({ length: count }, () => newTaskId()),
        )),
  });
  const read = (count: number): Work => ({
    name: `poll ${count}`,
    by: (each) => () => each.read(Array.from({ length: count }, some)),
  });
  return [submit(MAX_BATCH_ITEMS), submit(1), read(1), read(MAX_BATCH_ITEMS)];
}

async function openAccount(url: string): Promise<Owner> {
  const database = openDatabase({ url, poolSize: 1, statementTimeoutMs: 60_000, applicationName: 'bench' });
  const { id: accountId } = await createAccount(database, { name: 'bench', webhookSecret: 'unused' });
  await topUp(database, { accountId, amountNano: 10n ** 17n });
  const { id: keyId } = await createKey(database, 'pepper', { accountId });
  await database.close();
  return ownerOf({ accountId, keyId });
}

interface Measurement {
  servers: Servers;
  doors: readonly Door[];
  works: readonly Work[];
  rounds: number;
}

interface Measured {
  work: Work;
  door: Door;
  run(): Promise<unknown> | undefined;
  slices: Cost[];
}

/** The first round warms up. The order of the doors turns round with each. */
async function measure({ servers, doors, works, rounds }: Measurement): Promise<Measured[]> {
  const all: Measured[] = works.flatMap((work) =>
    doors.flatMap((door) => {
      const run = work.by(door);
      return run === undefined ? [] : [{ work, door, run, slices: [] }];
    }),
  );
  for (let round = 0; round <= rounds; round += 1) {
    for (const { run, slices } of round % 2 === 0 ? all : [...all].reverse()) {
      const cost = await measureSlice(servers, run);
      if (round > 0) slices.push(cost);
    }
  }
  return all;
}

async function measureSlice(servers: Servers, run: Measured['run']): Promise<Cost> {
  const postgresBefore = cpuMicros([servers.postgres]) ?? Number.NaN;
  const nodeBefore = process.cpuUsage();
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < SLICE_MS; count += 1) await run();
  const wallMicros = (performance.now() - startedAt) * 1000;
  const node = process.cpuUsage(nodeBefore);
  const postgresAfter = cpuMicros([servers.postgres]) ?? Number.NaN;
  return {
    wallMicros: wallMicros / count,
    nodeMicros: (node.user + node.system) / count,
    postgresMicros: (postgresAfter - postgresBefore) / count,
  };
}

function lineOf(work: Work, door: Door, slices: readonly Cost[]): string {
  const of = (field: keyof Cost) => median(slices.map((cost) => cost[field])).toFixed(0);
  const best = Math.min(...slices.map(({ wallMicros }) => wallMicros)).toFixed(0);
  const server = `PostgreSQL ${of('postgresMicros')} µs`;
  return `${work.name.padEnd(10)} ${door.name.padEnd(10)} ${of('wallMicros')} (best ${best}) µs, Node ${of('nodeMicros')} µs, ${server}`;
}

main().catch((error: Error) => {
  say(error.stack ?? error.message);
  process.exitCode = 1;
});
