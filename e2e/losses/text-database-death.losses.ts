import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@mediagate/database';
import { testRedisUrl, until } from '@mediagate/testkit';
import { freePort, type Postgres, startPostgres } from '@mediagate/testkit/servers';
import { type System, type SystemAccount, startSystem } from '../system/start-system';
import { costOf, openTextStream } from './text-stream';

const BALANCE_NANO = 10_000_000_000n;
/** Asked right before the crash: some holds have reached the disk by then, and some have not. */
const LATE_TEXTS = 8;

let directory: string;
let postgres: Postgres;
let port: number;
let system: System<'api' | 'reconciler'>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mediagate-both-'));
  await chmod(directory, 0o755);
  port = await freePort();
  postgres = await startPostgres({ directory, port, durable: true });
  await migrate(postgres.url);
  const servers = { databaseUrl: postgres.url, servicesUrl: postgres.url, redisUrl: testRedisUrl() };
  system = await startSystem({ services: ['api', 'reconciler'], servers });
}, 240_000);
afterAll(async () => {
  await system?.stop();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
}, 120_000);

const tasksOf = ({ accountId }: SystemAccount) => system.database.task.findMany({ where: { accountId } });

/** Kills PostgreSQL and the API within half a second of each other, and of the last hold. */
async function bothDie(): Promise<void> {
  process.kill(postgres.pid, 'SIGKILL');
  await system.services.api.kill();
  await postgres.exited;
  postgres = await startPostgres({ directory, port, durable: true });
}

async function isEmptied(): Promise<boolean> {
  const open = await system.database.task.count({ where: { completedAt: null } }).catch(() => undefined);
  return open === 0;
}

it('of texts whose API and PostgreSQL die together what was renewed is charged as of then, and nobody pays for the others', async () => {
  const [early, late] = [await system.account(BALANCE_NANO), await system.account(BALANCE_NANO)];
  const stream = openTextStream(system.baseUrl, early.key, 'A long letter about lighthouses. [[sim:stream-stall=1/2]]');
  await until(async () => (await tasksOf(early)).some(({ endIfAbandoned }) => endIfAbandoned !== null));

  const asked = (await system.simulator.journal()).length;
  const prompt = 'Why do lighthouses blink? [[sim:stream-stall=1/2]]';
  for (let count = 0; count < LATE_TEXTS; count += 1) openTextStream(system.baseUrl, late.key, prompt);
  await system.simulator.asked(asked + LATE_TEXTS);
  await bothDie();
  await until(isEmptied);

  expect(await tasksOf(early)).toMatchObject([{ status: 'completed', costNano: costOf(stream.pieces()) }]);
  // Texts that are in the books are refunded; of the others the books know nothing.
  expect((await tasksOf(late)).filter(({ status, costNano }) => status !== 'failed' || costNano !== 0n)).toEqual([]);
  const accounts = await system.database.account.findMany({ where: { id: { in: [early.accountId, late.accountId] } } });
  const spent = new Map(accounts.map(({ id, heldNano, settledNano }) => [id, [heldNano, settledNano]]));
  expect(spent.get(early.accountId)).toEqual([0n, costOf(stream.pieces())]);
  expect(spent.get(late.accountId)).toEqual([0n, 0n]);
  expect(await system.audit()).toEqual([]);
}, 240_000);
