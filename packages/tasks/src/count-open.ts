import type { Family } from '@mediagate/contracts';
import type { Database, Statement } from '@mediagate/database';

const COUNT_OPEN: Statement = {
  name: 'tasks.count_open',
  text: `
select count(*)::int as open from tasks t
where t.key_id = $1 and t.family = $2 and t.status not in ('completed', 'failed') and not t.parked`,
};

/** Tasks of a key that hold, or wait for, one of the places that it has in a family. */
export async function countOpen(database: Database, keyId: string, family: Family): Promise<number> {
  const [row] = await database.query<{ open: number }>(COUNT_OPEN, [keyId, family]);
  return row?.open ?? 0;
}
