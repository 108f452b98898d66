import type { Client } from 'pg';
import type { BackupManifest } from './manifest';

/** Work that was under way at the backup: only vendors and callers know what has become of it since. */
export interface Doubts {
  /** A vendor had accepted them: it is asked again, however long ago their deadlines were. */
  accepted: DoubtedTask[];
  /** A vendor was being asked: refunded and put into quarantine, or asked again where the vendor knows repetitions. */
  asked: DoubtedTask[];
  /** Not begun: they run, or are refunded where their deadline has passed; some may have run since. */
  waiting: DoubtedTask[];
  /** Callbacks that were not delivered. They are sent only on request: a caller may have received them since. */
  callbacks: { id: string; taskId: string }[];
}

export interface DoubtedTask {
  id: string;
  accountId: string;
  channelId: string | null;
}

export async function settleDoubts(
  client: Client,
  { takenAt }: BackupManifest,
  { sendCallbacks }: { sendCallbacks: boolean },
): Promise<Doubts> {
  await client.query(RAISE_FENCES);
  await client.query(END_LEASES);
  await client.query(DROP_NOTICES);
  const read = async (condition: string) =>
    (await client.query<DoubtedTask>(`SELECT ${SHOWN} FROM tasks t WHERE ${OPEN} AND ${condition} ORDER BY t.id`)).rows;
  const asked = await read(`attempt_state = 'starting'`);
  const waiting = await read('attempt_state IS NULL');
  const { rows: accepted } = await client.query<DoubtedTask>(GIVE_TIME, [takenAt]);
  const { rows: callbacks } = await client.query<Doubts['callbacks'][number]>(
    sendCallbacks ? READ_CALLBACKS : HOLD_CALLBACKS,
  );
  return { accepted, asked, waiting, callbacks };
}

const OPEN = `t.status NOT IN ('completed', 'failed')`;
const SHOWN = 't.id, t.account_id AS "accountId", t.channel_id AS "channelId"';

/**
 * Claims that were given since the backup had fences of their own. None of them may be given again, and whoever holds an old one, a worker that
 * was frozen for example, changes nothing. A plain sum, in the transaction of the rows: a backup of an earlier release has no epochs.
 */
const RAISE_FENCES = `
WITH open AS (UPDATE tasks t SET fence = t.fence + 1000000 WHERE ${OPEN})
UPDATE webhook_deliveries SET fence = fence + 1000000 WHERE state = 'pending'`;

/** The processes that had the leases are gone. */
const END_LEASES = `
WITH open AS (UPDATE tasks t SET lease_until = NULL WHERE ${OPEN} AND NOT t.run_by_submitter AND t.lease_until IS NOT NULL)
UPDATE webhook_deliveries SET lease_until = NULL WHERE state = 'pending' AND lease_until IS NOT NULL`;

/** Most likely their receivers have had them since; what still stands is reported again. */
const DROP_NOTICES = `
WITH repeated AS (UPDATE notices SET reported_at = 'epoch' WHERE closed_at IS NULL AND reported = 'standing')
UPDATE notice_messages SET state = 'dropped', reason = 'restored', lease_until = NULL, next_attempt_at = NULL,
  ended_at = now()
WHERE state = 'pending'`;

/** The time since the backup does not count against a job that its vendor has accepted, nor against its money. */
const GIVE_TIME = `
WITH late AS (SELECT now() - $1::timestamptz AS passed),
extended AS (
  UPDATE tasks t SET deadline_at = t.deadline_at + late.passed, next_step_at = now(), lease_until = NULL
  FROM late WHERE ${OPEN} AND t.attempt_state = 'accepted'
  RETURNING ${SHOWN}
),
reserved AS (
  UPDATE reservations r SET expires_at = r.expires_at + late.passed
  FROM late, extended e WHERE r.task_id = e.id AND r.state = 'held'
)
SELECT * FROM extended ORDER BY id`;

const READ_CALLBACKS = `
SELECT id, task_id AS "taskId" FROM webhook_deliveries WHERE state = 'pending' ORDER BY task_id`;
const HOLD_CALLBACKS = `
WITH held AS (
  UPDATE webhook_deliveries SET state = 'exhausted', reason = 'restored', lease_until = NULL,
    next_attempt_at = NULL, ended_at = now()
  WHERE state = 'pending' RETURNING id, task_id AS "taskId"
)
SELECT * FROM held ORDER BY "taskId"`;
