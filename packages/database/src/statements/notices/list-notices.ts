import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface ListedNotice {
  id: bigint;
  kind: string;
  subject: string;
  accountId: string | null;
  level: number;
  figures: JsonObject;
  since: Date;
  /** Null: it stands. */
  endedAt: Date | null;
  /** When it was reported last; null: not yet. */
  reportedAt: Date | null;
}

export interface NoticeSearch {
  owner: string;
  /** True: those that stand; false: those that are over; undefined: both. */
  standing: boolean | undefined;
  kind: string | undefined;
  accountId: string | undefined;
  before: bigint | undefined;
  limit: number;
}

/** The newest first. */
export const listNotices: Statement<[search: NoticeSearch], ListedNotice> = {
  text: `
select n.id, n.kind, n.subject, n.account_id as "accountId", n.level, n.figures, n.since, n.ended_at as "endedAt",
  n.reported_at as "reportedAt"
from notices n
where n.owner = $1 and ($2::boolean is null or (n.ended_at is null) = $2) and ($3::text is null or n.kind = $3)
  and ($4::text is null or n.account_id = $4) and n.id < coalesce($5::bigint, 9223372036854775807)
order by n.id desc limit $6`,
  values: ({ owner, standing, kind, accountId, before, limit }) => [
    owner,
    standing ?? null,
    kind ?? null,
    accountId ?? null,
    before ?? null,
    limit,
  ],
};
