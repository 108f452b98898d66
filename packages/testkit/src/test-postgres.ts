import { randomBytes } from 'node:crypto';
import { migrate } from '@mediagate/database';
import { Client } from 'pg';
import { firstGiven, type PostgresAnswer } from './environment';
import { freePort, startPostgres } from './servers';

export interface TestPostgres {
  /** Starts it once; every later call gets the same answer. */
  open(): Promise<PostgresAnswer>;
  close(): Promise<void>;
}

/** A server of the run's own, without durability, or the one that TEST_DATABASE_URL or DATABASE_URL names. */
export function createTestPostgres(directory: string): TestPostgres {
  let opened: Promise<Opened> | undefined;
  return {
    async open() {
      opened ??= given === undefined ? openOwn(directory) : openGiven(given);
      return (await opened).answer;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

interface Opened {
  answer: PostgresAnswer;
  close(): Promise<void>;
}

const given = firstGiven('TEST_DATABASE_URL', 'DATABASE_URL');

async function openOwn(directory: string): Promise<Opened> {
  const server = await startPostgres({ directory, port: await freePort(), durable: false });
  await migrate(server.url);
  const adminUrl = databaseAt(server.url, 'postgres');
  // Plans go by what a test analyses itself, and not by what was analysed behind its back on a slow day.
  await run(adminUrl, 'ALTER SYSTEM SET autovacuum = off');
  await run(adminUrl, 'SELECT pg_reload_conf()');
  return { answer: { adminUrl, template: new URL(server.url).pathname.slice(1) }, close: () => server.stop() };
}

async function openGiven(url: string): Promise<Opened> {
  const template = `mediagate_template_${randomBytes(6).toString('hex')}`;
  await run(url, `CREATE DATABASE ${template}`);
  const close = () => run(url, `DROP DATABASE ${template}`);
  try {
    await migrate(databaseAt(url, template));
  } catch (error) {
    await close();
    throw error;
  }
  return { answer: { adminUrl: url, template }, close };
}

function databaseAt(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
