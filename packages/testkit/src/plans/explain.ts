import type { Database } from '@mediagate/database';
import { runSql } from '../sql';
import type { PlanNode } from './plan-node';

export interface ExplainOptions {
  /** `generic_plan`: the plan that is made once, whatever the values are. `analyze`: the statement runs, and each node says what it read. */
  by?: 'generic_plan' | 'analyze';
  /** Stand in the place of `$1`, `$2` and so on, as SQL. */
  values?: readonly (string | number)[];
}

/** The plan of a statement. Without options: as PostgreSQL plans it for these values, and nothing runs. */
export async function explain(
  database: Database,
  text: string,
  { by, values = [] }: ExplainOptions = {},
): Promise<PlanNode> {
  const filled = text.replaceAll(/\$(\d+)/g, (parameter, number) => `${values[Number(number) - 1] ?? parameter}`);
  const options = [...(by === undefined ? [] : [by]), ...(by === 'analyze' ? ['timing off'] : []), 'format json'];
  const rows = await runSql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    database,
    `explain (${options.join(', ')}) ${filled}`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no plan was returned');
  return row['QUERY PLAN'][0].Plan;
}
