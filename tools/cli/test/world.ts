import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSubmitter, type Submission, topUp } from '@mediagate/billing';
import { NANO_PER_UNIT, newTaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { createAccount, createKey } from '@mediagate/identity';
import { openQueues, type Queues } from '@mediagate/queue';
import { openTestDatabase, testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { runCommandLine } from '../src/run-command-line';

export const PEPPER = 'test-pepper';
export const USER = 'ada';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** A deployment with a database of its own, and the command line on it. */
export interface World {
  database: Database;
  env: Record<string, string>;
  queues: Queues;
  run(...words: string[]): Promise<Ran>;
  /** Runs it with --json, expects code 0, and reads what it printed. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the command answers; each test says what it must be
  json(...words: string[]): Promise<any>;
  /** The audit log's rows about a subject, oldest first. */
  notes(subject: string): Promise<{ actor: string; action: string; detail: unknown }[]>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const { databaseUrl, database, close } = await openTestDatabase();
  const home = mkdtempSync(join(tmpdir(), 'mediagate-cli-'));
  const [redisUrl, prefix] = [testRedisUrl(), uniquePrefix()];
  const queues = openQueues({ redisUrl, prefix });
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: prefix,
    MEDIAGATE_HOME: home,
    MEDIAGATE_KEY_PEPPER: PEPPER,
  };
  const run = (...words: string[]) => runIn(env, ...words);

  return {
    database,
    env,
    queues,
    run,
    async json(...words) {
      const { code, out, err } = await run(...words, '--json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return JSON.parse(out);
    },
    notes: (subject) =>
      database.auditLogEntry.findMany({
        where: { subject },
        select: { actor: true, action: true, detail: true },
        orderBy: { id: 'asc' },
      }),
    async close() {
      await queues.close();
      rmSync(home, { recursive: true });
      await close();
    },
  };
}

export function runIn(env: Record<string, string | undefined>, ...words: string[]): Promise<Ran> {
  return runWithInput(env, '', ...words);
}

/** @param input what the standard input has */
export async function runWithInput(
  env: Record<string, string | undefined>,
  input: string,
  ...words: string[]
): Promise<Ran> {
  const ran = { out: '', err: '' };
  const code = await runCommandLine(words, {
    env,
    userName: USER,
    stdin: async () => input,
    stdout(text) {
      ran.out += text;
    },
    stderr(text) {
      ran.err += text;
    },
  });
  return { code, ...ran };
}

export const units = (count: number) => BigInt(count) * NANO_PER_UNIT;

export interface Payer {
  accountId: string;
  keyId: string;
}

export async function fundedKey(database: Database, balanceNano = units(100)): Promise<Payer> {
  const { id: accountId } = await createAccount(database, { name: 'payer', webhookSecret: 'whsec_dGVzdA==' });
  await topUp(database, { accountId, amountNano: balanceNano });
  const { id: keyId } = await createKey(database, PEPPER, { accountId });
  return { accountId, keyId };
}

/** A task as the API leaves it: accepted, its money held. */
export async function acceptedTask(database: Database, payer: Payer, more: Partial<Submission> = {}) {
  const taskId = newTaskId();
  const outcome = await createSubmitter(database)({
    taskId,
    accountId: payer.accountId,
    keyId: payer.keyId,
    family: 'image',
    kind: 'image',
    model: 'imagegen-2.5-flare',
    operation: 'images.generations',
    input: { prompt: 'a lighthouse' },
    rates: { image_output: 30_000_000_000n },
    catalogueVersion: 1,
    warnings: [],
    requestId: 'req_test',
    reservedNano: units(3),
    deadlineMs: 600_000,
    ...more,
  });
  expect(outcome).toEqual({ kind: 'accepted' });
  return taskId;
}
