import { exactSeconds, exactSecondsOrNull, nanoToNumber } from '@mediagate/contracts';
import {
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
  type QuarantinedAttempt,
  type Resolution,
  type Verdict,
} from '@mediagate/database';

export interface QuarantinePage {
  attempts: QuarantinedAttempt[];
  /** Where the next page begins; undefined: this is the last. */
  next: string | undefined;
}

/** Above every id of an attempt. */
const ABOVE_ALL = `att_${'z'.repeat(26)}`;

export interface QuarantineSearch {
  before?: string | undefined;
  /** Only those that no operator has resolved. */
  open: boolean;
  /** Attempts of test keys, which nobody has to resolve, in place of the others. */
  isTest: boolean;
  limit: number;
}

/** Rows that one page looks at: of test keys there may be next to none, or very many. */
const MAX_LOOKED_AT = 2000;

/** Attempts whose outcome nobody knows, the newest first. A page may be less than full, or empty, and others follow it. */
export async function listQuarantined(
  database: Database,
  { before = ABOVE_ALL, open, isTest, limit }: QuarantineSearch,
): Promise<QuarantinePage> {
  // One more tells whether there are more.
  const page = { before, isTest, limit: limit + 1, scanRows: MAX_LOOKED_AT };
  const rows = open && !isTest ? await database.listUnresolved(page) : await database.listQuarantined(page);
  const found = rows.flatMap(({ id, lookedUntil: _, ...row }) => (id === null ? [] : [{ ...row, id }]));
  const attempts = found.slice(0, limit);
  const lookedUntil = rows[0]?.lookedUntil ?? undefined;
  return { attempts, next: found.length > limit ? attempts.at(-1)?.id : lookedUntil };
}

/** Writes down whether the vendor charges for an attempt, and how much. `unchanged`: there is none, or it is not in quarantine any more. */
export function resolveAttempt(
  database: Database,
  id: string,
  verdict: Verdict,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  return changeOnce(database, request, () => database.resolveAttempt(id, verdict, request));
}

/** The resolution in force, which says why another was not written. Undefined: there is no such attempt; null: nobody resolved it. */
export async function readResolution(database: Database, id: string): Promise<Resolution | null | undefined> {
  const found = await database.taskAttempt.findUnique({ where: { id }, select: { resolution: true } });
  return found === null ? undefined : (found.resolution as Resolution | null);
}

/** As operators see it. Amounts in currency units, times in Unix seconds. */
export function describeQuarantined(attempt: QuarantinedAttempt) {
  return {
    id: attempt.id,
    task_id: attempt.taskId,
    account_id: attempt.accountId,
    family: attempt.family,
    model: attempt.model,
    channel: attempt.channelId,
    protocol: attempt.protocol,
    test: attempt.isTest,
    external_id: attempt.externalId,
    fault: attempt.fault,
    detail: attempt.detail,
    request_ids: attempt.requestIds,
    usage: attempt.usage,
    cost: attempt.costNano === null ? null : nanoToNumber(attempt.costNano),
    refunded: nanoToNumber(attempt.refundedNano),
    started_at: exactSeconds(attempt.startedAt),
    ended_at: exactSecondsOrNull(attempt.endedAt),
    resolution: attempt.resolution,
    resolved_at: exactSecondsOrNull(attempt.resolvedAt),
  };
}
