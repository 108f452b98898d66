import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { migrate } from '@mediagate/database';
import type { PlanNode } from '@mediagate/testkit/plans';
import { freePort, type Postgres, startPostgres } from '@mediagate/testkit/servers';
import { Client } from 'pg';

/** A statement as it ran once, with what it read. */
export interface Execution {
  text: string;
  durationMs: number;
  plan: PlanNode;
  /** The SQL function that it stands in. */
  functionName?: string;
}

export interface ExplainedPostgres extends Postgres {
  /** Sessions that begin from now on log the plan of each statement, those in functions and triggers too. */
  explainAll(): Promise<void>;
  /** Runs statements that nobody explains. */
  run<Row extends object>(text: string): Promise<Row[]>;
  /** Lists what ran since `explainAll`. */
  executions(): AsyncGenerator<Execution>;
}

/** Names the sessions of the test itself: what they run is no statement of the product. */
const OWN_NAME = 'plans of statements';

/** As each process sets it, the log has the plan with rows and pages, and times of whole statements: those of every node cost too much. */
const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_parameter_max_length': '0',
};

/** A server of the test's own, with all migrations. */
export async function startExplainedPostgres(directory: string): Promise<ExplainedPostgres> {
  const server = await startPostgres({ directory, port: await freePort(), durable: false });
  await migrate(server.url);
  const run = async <Row extends object>(text: string): Promise<Row[]> => {
    const client = new Client({ connectionString: server.url, application_name: OWN_NAME });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const [place] = await run<{ data_directory: string }>('show data_directory');
  const log = join(dirname(place?.data_directory ?? ''), 'postgres.log');
  return {
    ...server,
    run,
    async explainAll() {
      await run(`alter system set log_line_prefix = '%a|'`);
      await run('select pg_reload_conf()');
      const settings = Object.entries(SETTINGS);
      for (const [name, value] of settings) await run(`alter database mediagate set ${name} = '${value}'`);
      // It reads no table, and audits call it for each row: a third of the log was its plans.
      await run('alter function first_id_at(timestamptz) set auto_explain.log_min_duration = -1');
    },
    executions: () => readExecutions(log),
  };
}

const PLAN = /^([^|]*)\|LOG: {2}duration: ([\d.]+) ms {2}plan:$/;
const CONTEXT = /^[^|]*\|CONTEXT: /;
const IN_FUNCTION = /(?:PL\/pgSQL function|SQL function) "?(\w+)/;

/** A line of a plan begins with a tab; the line of its context, where it has one, follows. */
async function* readExecutions(log: string): AsyncGenerator<Execution> {
  let open: { durationMs: number; lines: string[]; context: string } | undefined;
  let isContext = false;
  for await (const line of createInterface({ input: createReadStream(log), crlfDelay: Number.POSITIVE_INFINITY })) {
    isContext = CONTEXT.test(line) || (isContext && line.startsWith('\t'));
    if (open && isContext) open.context += line;
    else if (open && line.startsWith('\t')) open.lines.push(line);
    else {
      if (open) yield toExecution(open);
      const [, name, duration] = PLAN.exec(line) ?? [];
      open =
        duration === undefined || name === OWN_NAME
          ? undefined
          : { durationMs: Number(duration), lines: [], context: '' };
    }
  }
  if (open) yield toExecution(open);
}

function toExecution({
  durationMs,
  lines,
  context,
}: {
  durationMs: number;
  lines: string[];
  context: string;
}): Execution {
  const { 'Query Text': text, Plan: plan } = JSON.parse(lines.join('\n')) as { 'Query Text': string; Plan: PlanNode };
  const [, functionName] = IN_FUNCTION.exec(context) ?? [];
  return { text, durationMs, plan, ...(functionName !== undefined && { functionName }) };
}
