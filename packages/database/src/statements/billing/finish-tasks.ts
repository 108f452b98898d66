import type { Family, JsonObject, Nano, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { KEPT_END_FORM } from '../tasks/task-row';

/** The longest wait for a row that somebody else has locked. */
const LOCK_WAIT_MS = 2000;

/** How a task is to end; `prisma/functions/complete_tasks.sql` says what each field means. */
export interface TaskToFinish {
  taskId: TaskId;
  fence: number | null;
  onlyUnpaid: boolean;
  status: 'completed' | 'failed';
  /** Nano-units, as decimal text. */
  costNano: string;
  units?: Readonly<Record<string, string>> | undefined;
  result?: JsonObject | undefined;
  usage?: JsonObject | undefined;
  error?: object | undefined;
  deliveryId: string;
  attempt?: object | undefined;
  calls?: readonly object[] | undefined;
  /** Made by `noteOf`. */
  note?: string | undefined;
}

export interface FinishRow {
  task_id: string;
  delivery_id: string | null;
  overrun: Nano;
  /** The key of which the task had a slot, if the key has a limit; else null. */
  freed_of_key: string | null;
  /** As asked, or as the process that is gone kept its end. */
  status: 'completed' | 'failed';
  family: Family;
  model: string;
  is_test: boolean;
  /** The channel that settled it, or was asked last. */
  channel_id: string | null;
  settled_nano: Nano;
  /** The vendor's charge; null: not known. */
  cost_nano: Nano | null;
  /** The time from its submission to its end. */
  seconds: number;
  trace_context: string | null;
}

/**
 * The function `complete_tasks` (`prisma/functions/complete_tasks.sql`): state, settlement or refund, the attempt's end and the callback's row
 * are committed together. Each task may be named once; who does not win it gets no row.
 */
export const finishTasks: Statement<[items: readonly TaskToFinish[], lockWaitMs?: number], FinishRow> = {
  byPrisma: true,
  text: `select * from complete_tasks($1::jsonb, ${KEPT_END_FORM}, $2)`,
  values: (items, lockWaitMs = LOCK_WAIT_MS) => [JSON.stringify(items), lockWaitMs],
};
