import { exactSeconds, exactSecondsOrNull, nanoToNumber } from '@mediagate/contracts';
import { type Database, type Page, type QuarantinedAttempt, type Resolution, readPage } from '@mediagate/database';

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
export function listQuarantined(
  database: Database,
  { before = ABOVE_ALL, open, isTest, limit: pageLimit }: QuarantineSearch,
): Promise<Page<QuarantinedAttempt, string>> {
  return readPage(pageLimit, (limit) => {
    const page = { before, isTest, limit, scanRows: MAX_LOOKED_AT };
    return open && !isTest ? database.listUnresolved(page) : database.listQuarantined(page);
  });
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
