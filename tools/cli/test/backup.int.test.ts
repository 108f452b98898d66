import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createFinisher } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { openDatabase } from '@mediagate/database';
import { claimTask } from '@mediagate/tasks';
import { forAllTests, runSql } from '@mediagate/testkit';
import { acceptedTask, fundedKey, openWorld, runIn, USER, units } from './world';

const world = forAllTests(openWorld);
const payer = forAllTests(() => fundedKey(world.database, units(10_000)));

const fileNamed = (name: string) => join(String(world.env['MEDIAGATE_HOME']), name);
const completed = (taskId: TaskId) =>
  createFinisher(world.database)({
    taskId,
    accountId: payer.accountId,
    fence: 'any',
    outcome: { kind: 'completed', costNano: units(1), result: { images: [] }, usage: {} },
  });

/** A task whose vendor was asked, and may have answered. */
async function attempted(state: 'starting' | 'accepted'): Promise<TaskId> {
  const taskId = await acceptedTask(world.database, payer);
  const [id, channelId] = [`att_${taskId}`, 'main'];
  const externalId = state === 'accepted' ? `job-${taskId}` : null;
  await world.database.taskAttempt.create({
    data: { id, taskId, number: 1, channelId, protocol: 'p', state, externalId },
  });
  const data = { attemptId: id, attemptState: state, attemptsMade: 1, channelId, status: 'pending' };
  await world.database.task.update({ where: { id: taskId }, data });
  return taskId;
}

/** Accepted, ended and called back, over and over. */
function work() {
  let isStopped = false;
  let done = 0;
  const run = async () => {
    while (!isStopped) {
      await completed(await acceptedTask(world.database, payer, { webhook: 'https://caller.example/hook' }));
      done += 1;
    }
  };
  const running = Promise.all([run(), run(), run()]);
  return {
    async until(count: number) {
      const goal = done + count;
      while (done < goal) await acceptedTask(world.database, payer);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** A database without tables, on the same server, and the command line on it. */
async function openEmpty() {
  const name = `restored_${randomUUID().slice(0, 8)}`;
  await runSql(world.database, `create database ${name}`);
  const url = new URL(String(world.env['DATABASE_URL']));
  url.pathname = `/${name}`;
  const env = { ...world.env, DATABASE_URL: url.href };
  const database = openDatabase({ url: url.href, poolSize: 2, statementTimeoutMs: 60_000, applicationName: 'test' });
  return {
    env,
    database,
    run: (...words: string[]) => runIn(env, ...words),
    async drop() {
      await database.close();
      await runSql(world.database, `drop database ${name} with (force)`);
    },
  };
}

it('is taken while all goes on and restored as it was at that moment, with what is in doubt', async () => {
  const [accepted, asked] = [await attempted('accepted'), await attempted('starting')];
  const waiting = await acceptedTask(world.database, payer);
  const called = await acceptedTask(world.database, payer, { webhook: 'https://caller.example/hook' });
  await completed(called);
  const target = {
    id: 'target_of_test',
    owner: 'operators',
    medium: 'webhook',
    address: 'https://o.example',
    language: 'en',
  };
  await world.database.noticeTarget.create({ data: target });
  const message = { id: 'message_of_test', targetId: target.id, notices: [], fence: 2 };
  await world.database.noticeMessage.create({ data: message });
  const claim = await claimTask(world.database, accepted, 60_000);
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const before = await world.database.task.findUniqueOrThrow({ where: { id: accepted } });

  const load = work();
  await load.until(5);
  const path = fileNamed('under-load.backup');
  const backup = await world.json('backup', '--to', path);
  await load.until(5);
  await load.stop();
  const { id: later } = await world.database.account.create({
    data: { id: 'acct_later', name: 'l', webhookSecret: 's' },
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.part`)).toBe(false);

  const other = await openEmpty();
  try {
    await world.queues.enqueueTask({ family: 'image', taskId: waiting, fence: 0 });
    const { code, out, err } = await other.run('restore', '--from', path, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const restored = JSON.parse(out);
    expect(restored).toMatchObject({
      version: backup.version,
      taken_at: backup.taken_at,
      rows: backup.rows,
      applied: [],
    });
    expect(restored.books).toEqual(backup.books);
    expect(await other.database.task.count()).toBe(backup.rows.tasks);
    expect(await other.database.task.count()).toBeLessThan(await world.database.task.count());
    expect(await other.database.account.findUnique({ where: { id: later } })).toBeNull();

    const ids = (tasks: { id: string }[]) => tasks.map(({ id }) => id);
    const { in_doubt: doubts } = restored;
    expect(doubts.accepted).toEqual([{ id: accepted, account: payer.accountId, channel: 'main' }]);
    expect(ids(doubts.asked)).toEqual([asked]);
    expect(ids(doubts.waiting)).toContain(waiting);
    expect(doubts.callbacks).toContainEqual({ id: expect.any(String), task: called });

    const task = await other.database.task.findUniqueOrThrow({ where: { id: accepted } });
    expect(task.deadlineAt.getTime()).toBeGreaterThan(before.deadlineAt.getTime());
    expect(task.nextStepAt.getTime()).toBeLessThanOrEqual(Date.now());
    // Whoever held it at the backup, and whoever claimed it after, has a fence that no claim gets again.
    const late = {
      taskId: accepted,
      accountId: payer.accountId,
      outcome: { kind: 'completed', costNano: 1n, result: {} },
    } as const;
    const finish = createFinisher(other.database);
    for (const fence of [before.fence, before.fence + 1])
      expect(await finish({ ...late, fence })).toMatchObject({ won: false });
    const again = await other.database.claimTask(accepted as TaskId, 1000);
    expect(again?.fence).toBeGreaterThan(1_000_000);
    const held = await other.database.webhookDelivery.findFirstOrThrow({ where: { taskId: called } });
    expect(held).toMatchObject({ state: 'exhausted', reason: 'restored', nextAttemptAt: null });
    const dropped = await other.database.noticeMessage.findUniqueOrThrow({ where: { id: message.id } });
    expect(dropped).toMatchObject({ state: 'dropped', reason: 'restored', nextAttemptAt: null });
    expect(await other.run('audit')).toMatchObject({ code: 0, out: expect.stringMatching(/^clean: /) });
    const [note] = await other.database.auditLogEntry.findMany({ where: { action: 'database.restore' } });
    expect(note).toMatchObject({ actor: `cli:${USER}`, detail: { accepted: 1, asked: 1, outcome: 'done' } });
    // The jobs that Redis held from the time after the backup are gone.
    expect(await world.queues.jobsWereLost()).toBe(true);

    await completed(await acceptedTask(other.database, payer));
    expect(await other.run('audit')).toMatchObject({ code: 0 });
  } finally {
    await other.drop();
  }
});

it('has raised the fences with the rows, where it dies before its epoch is begun', async () => {
  const taskId = await acceptedTask(world.database, payer);
  const path = fileNamed('dies.backup');
  await world.json('backup', '--to', path);
  const other = await openEmpty();
  try {
    await other.run('migrate');
    await runSql(other.database, 'alter function raise_fences rename to raise_no_fences');
    expect(await other.run('restore', '--from', path, '--overwrite')).toMatchObject({ code: 1 });
    const claimed = await other.database.claimTask(taskId, 1000);
    expect(claimed?.fence).toBeGreaterThan(1_000_000);
  } finally {
    await other.drop();
  }
});

it('replaces what a database holds only when asked to, and sends pending callbacks only when asked to', async () => {
  const path = fileNamed('small.backup');
  const taskId = await acceptedTask(world.database, payer, { webhook: 'https://caller.example/hook' });
  await completed(taskId);
  await world.json('backup', '--to', path);
  const refused = await world.run('restore', '--from', path);
  expect(refused).toEqual({ code: 1, out: '', err: expect.stringContaining('not empty: --overwrite replaces') });

  const lost = await acceptedTask(world.database, payer);
  const away = { ...world.env, REDIS_URL: 'redis://127.0.0.1:1' };
  const ran = await runIn(away, 'restore', '--from', path, '--overwrite', '--send-callbacks');
  const warned = 'mediagate: Redis does not answer: its jobs stay, and change nothing\n';
  expect(ran).toMatchObject({ code: 0, err: warned, out: expect.stringContaining('callbacks that are sent') });
  expect(await world.database.task.findUnique({ where: { id: lost } })).toBeNull();
  const where = { taskId };
  expect(await world.database.webhookDelivery.findFirstOrThrow({ where })).toMatchObject({ state: 'pending' });
  // Tables whose rows PostgreSQL has never counted: plans are made for a guess.
  const uncounted = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples < 0`;
  expect(await runSql(world.database, uncounted)).toEqual([]);
  expect(await world.run('audit')).toMatchObject({ code: 0 });
});

describe('is tried in a database of its own, which is dropped,', () => {
  it('and its books are audited', async () => {
    const { tried } = await world.json('backup', '--try', '--to', fileNamed('tried.backup'));
    expect(tried).toEqual({ clean: true, violations: [] });
    const own = new URL(String(world.env['DATABASE_URL'])).pathname.slice(1, 31);
    const left = await runSql(world.database, `select from pg_database where datname like '${own}_shadow_%'`);
    expect(left).toEqual([]);
  });

  it('and what is wrong in it makes the command fail', async () => {
    await runSql(world.database, `update accounts set settled_nano = settled_nano + 1 where id = '${payer.accountId}'`);
    const ran = await world.run('backup', '--try', '--to', fileNamed('broken.backup'));
    await runSql(world.database, `update accounts set settled_nano = settled_nano - 1 where id = '${payer.accountId}'`);
    expect(ran).toMatchObject({ code: 1, out: expect.stringContaining(payer.accountId) });
  });

  it('and one that cannot be restored makes the command fail, and stays', async () => {
    const target = fileNamed('unrestorable.backup');
    // A migration that no release has: its backup cannot be restored by this one.
    const row = `('29990101000000_later', '29990101000000_later', '', now(), 1)`;
    await runSql(
      world.database,
      `insert into _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count) values ${row}`,
    );
    const ran = await world.run('backup', '--try', '--to', target);
    await runSql(world.database, `delete from _prisma_migrations where id = '29990101000000_later'`);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('was written, and cannot be restored') });
    expect(existsSync(target)).toBe(true);
  });
});

describe('is refused, with nothing changed,', () => {
  let path: string;
  beforeAll(async () => {
    path = fileNamed('whole.backup');
    await world.json('backup', '--to', path);
  });

  const changed = (name: string, change: (text: string) => string) => {
    const copy = fileNamed(name);
    writeFileSync(copy, gzipSync(change(gunzipSync(readFileSync(path)).toString())));
    return copy;
  };
  async function refusal(file: string): Promise<string> {
    const tasks = await world.database.task.count();
    const { code, err } = await world.run('restore', '--from', file, '--overwrite');
    expect([code, await world.database.task.count()]).toEqual([1, tasks]);
    return err;
  }

  it('where the file was cut off, is another one or is not there', async () => {
    const cut = changed('cut.backup', (text) => text);
    truncateSync(cut, statSync(cut).size - 20);
    expect(await refusal(cut)).toContain('was cut off');
    const ended = changed('ended.backup', (text) => text.replace('{"end":true}\n', ''));
    expect(await refusal(ended)).toContain('was cut off');
    expect(await refusal(changed('other.backup', () => 'no manifest\n'))).toContain('is no backup of mediagate');
    expect(await refusal(fileNamed('absent.backup'))).toContain('is not there');
  });

  it('where rows or sums are not those that the manifest names', async () => {
    const more = changed('more.backup', (text) => text.replace(/("name":"tasks".*?"rows":)(\d+)/, '$1$29'));
    expect(await refusal(more)).toMatch(/rows of tasks, and says/);
    const richer = changed('richer.backup', (text) => text.replace('"toppedUpNano":"', '"toppedUpNano":"9'));
    expect(await refusal(richer)).toContain('sums of the books');
  });

  it('where it is of a later release, or the database is', async () => {
    const later = changed('later.backup', (text) =>
      text.replace('"migrations":[', '"migrations":["29990101000000_later",'),
    );
    expect(await refusal(later)).toContain('29990101000000_later) that this release lacks');
    const earlier = changed('earlier.backup', (text) => text.replace(/,?"\d{14}_\w+"\],"tables"/, '],"tables"'));
    expect(await refusal(earlier)).toContain('tables of a later release than the backup');
  });

  it('where services still work on the database, which it names', async () => {
    const url = String(world.env['DATABASE_URL']);
    const api = openDatabase({ url, poolSize: 1, statementTimeoutMs: 60_000, applicationName: 'mediagate-api' });
    await api.ping();
    expect(await refusal(path)).toContain('stop what still works on this database: mediagate-api');
    await api.close();
  });

  it('and a backup is not written over a file that is there', async () => {
    expect(await world.run('backup', '--to', path)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is there already'),
    });
  });
});
