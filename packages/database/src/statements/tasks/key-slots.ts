import type { Family, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type Claim, SHOWN_COLUMNS, type ShownTask } from './task-row';

/** The tasks that share one limit. */
export interface SlotsOfKey {
  keyId: string;
  family: Family;
}

const OF_KEY = 't.key_id = $1 and t.family = $2';
/** As the function `key_slots_used` counts what was let out of its row. The index `tasks_using_key_slots` has these, and those that wait for their callers. */
const USES_KEY_SLOT = `t.status not in ('completed', 'failed') and not t.awaits_key_slot and not t.parked`;
/** Open, and in its row until its key has a slot for it. The index `tasks_awaiting_key_slot` has these. */
const AWAITS_KEY_SLOT = `t.status = 'submitted' and t.awaits_key_slot`;

/** The function `hand_over_key_slots`. Each task is looked up by itself: the planner expects a thousand of any function, and would read all tasks. */
export const handOverKeySlots: Statement<[of: SlotsOfKey], Claim & ShownTask> = {
  text: `
select h.id, h.fence, ${SHOWN_COLUMNS} from hand_over_key_slots($1, $2) h
cross join lateral (select * from tasks where id = h.id offset 0) t`,
  values: ({ keyId, family }) => [keyId, family],
};

/** The function `await_key_slots`. */
export const awaitKeySlots: Statement<[ids: readonly TaskId[]], { id: TaskId }> = {
  text: 'select s.id from await_key_slots($1::text[]) as s(id)',
  values: (ids) => [ids],
};

export interface AwaitedKey extends SlotsOfKey {
  /** A slot that nobody has handed over, as it seems. */
  hasSlot: boolean;
}

/** Keys and families for whose slots tasks wait, in order, from the one after `after` on. Each costs a probe of an index. */
export const findAwaitedKeys: Statement<
  [after: Pick<AwaitedKey, 'keyId'> & { family: string }, limit: number],
  AwaitedKey
> = {
  text: `
with recursive awaited as (
  (${nextKey('($1::text, $2::text)')})
  union all
  select n.key_id, n.family from awaited a cross join lateral (${nextKey('(a.key_id, a.family)')}) n
)
select a.key_id as "keyId", a.family,
  k.max_concurrent is null or key_slots_used(a.key_id, a.family, 'admitted') < k.max_concurrent as "hasSlot"
from (select * from awaited limit $3) a join api_keys k on k.id = a.key_id
order by a.key_id, a.family`,
  values: ({ keyId, family }, limit) => [keyId, family, limit],
};

function nextKey(after: string): string {
  return `select t.key_id, t.family from tasks t where ${AWAITS_KEY_SLOT} and (t.key_id, t.family) > ${after}
    order by t.key_id, t.family limit 1`;
}

/** Bounds what a long line costs to count, some 10 ms. */
const MAX_COUNTED = 10_000;

/** Tasks of a key that have one of the key's slots in a family, or await one. */
export const countOpenTasks: Statement<[of: SlotsOfKey], { open: number }> = {
  text: `
select count(*)::int as open from (
  (select from tasks t where ${OF_KEY} and ${USES_KEY_SLOT} limit ${MAX_COUNTED})
  union all
  (select from tasks t where ${OF_KEY} and ${AWAITS_KEY_SLOT} order by t.created_at, t.id limit ${MAX_COUNTED})
) o`,
  values: ({ keyId, family }) => [keyId, family],
};
