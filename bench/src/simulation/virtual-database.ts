import { setImmediate } from 'node:timers/promises';
import { newTally } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import { Pool } from 'pg';
import { methodsOf } from '../../../packages/database/src/statement';
import { STATEMENTS } from '../../../packages/database/src/statements';
import { query } from '../machine/query';

/** The statements of the product on one connection, for which the time is what it was set to. */
export interface VirtualDatabase {
  database: Database;
  setTime(now: Date): Promise<void>;
  /** Resolves once no statement runs, and none follows from one that has ended. */
  settled(): Promise<void>;
  /** Statements so far, those that set the time not among them. */
  statements(): number;
  close(): Promise<void>;
}

/** As services plan theirs; names are looked up in the schema `virtual` before PostgreSQL's own. */
const SESSION =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c timezone=UTC -c synchronous_commit=off -c search_path=virtual,pg_catalog,public';
/** Turns of the event loop in which no statement begins: what follows from the last one has happened. */
const QUIET_TURNS = 2;

/**
 * Every `now()` that is written without its schema, in statements and functions, is that of `virtual` for this connection. Defaults
 * of columns are bound when a table is made, so those are replaced: the database is the simulation's alone.
 */
export async function openVirtualDatabase(url: string): Promise<VirtualDatabase> {
  for (const text of INSTALL) await query(url, text);
  const pool = new Pool({ connectionString: url, max: 1, options: SESSION, application_name: 'simulation' });
  let statements = 0;
  const running = new Set<Promise<unknown>>();
  const methods = methodsOf(STATEMENTS, { pool, isPooler: false });
  const counted = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: never[]) => {
      statements += 1;
      const run = (method as (...values: never[]) => Promise<unknown>)(...args);
      running.add(run);
      const forget = () => running.delete(run);
      run.then(forget, forget);
      return run;
    },
  ]);
  return {
    // Without Prisma's models: what is simulated uses none.
    database: { ...Object.fromEntries(counted), tally: newTally } as unknown as Database,
    async setTime(now) {
      await pool.query("select set_config('virtual.at', $1, false)", [now.toISOString()]);
    },
    async settled() {
      for (let quiet = 0; quiet < QUIET_TURNS; ) {
        quiet = running.size === 0 ? quiet + 1 : 0;
        await Promise.allSettled(running);
        await setImmediate();
      }
    },
    statements: () => statements,
    close: () => pool.end(),
  };
}

const AT = `current_setting('virtual.at')::timestamptz`;

const INSTALL = [
  'create schema virtual',
  `create function virtual.now() returns timestamptz language sql stable as $$ select ${AT} $$`,
  `create function virtual.clock_timestamp() returns timestamptz language sql stable as $$ select ${AT} $$`,
  `create function virtual.random() returns float8 language sql immutable as $$ select 0.5::float8 $$`,
  `do $$ declare c record; begin
    for c in select table_name, column_name from information_schema.columns
      where table_schema = 'public' and (column_default ilike '%now()%' or column_default ilike '%current_timestamp%')
    loop
      execute format('alter table public.%I alter column %I set default virtual.now()', c.table_name, c.column_name);
    end loop;
  end $$`,
];
