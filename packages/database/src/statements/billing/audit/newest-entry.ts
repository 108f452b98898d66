import { MAX_BIGINT } from '../../../statement';

/**
 * An account's newest entry before an id and after another. The account is named by a range, as in `listLedger`: for one with few entries among many the
 * planner would walk through everybody's by the primary key.
 */
export function newestEntry({
  of: account,
  before = MAX_BIGINT,
  after = '0',
}: {
  of: string;
  before?: string;
  after?: string;
}): string {
  return `select l.id, l.created_at, l.balance_after_nano from ledger_entries l
        where (l.account_id, l.id) > (${account}, ${after}) and (l.account_id, l.id) < (${account}, ${before}) order by l.account_id desc, l.id desc limit 1`;
}
