import { BookOpen } from 'lucide-react';
import { useMemo } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { Empty } from '../../parts/empty.tsx';
import { ledgerColumns } from '../../parts/ledger-columns.tsx';
import { Listing } from '../../parts/listing.tsx';
import type { LedgerEntry } from './queries.ts';
import { say } from './texts.ts';

/** Every booking of the account, the newest first. */
export function Ledger({ accountId }: { accountId: string }) {
  const list = useCursorList<LedgerEntry>(['account-ledger', accountId], `/admin/v1/accounts/${accountId}/ledger`);
  const columns = useMemo(ledgerColumns, []);
  return (
    <Listing
      caption={say('tab.ledger')}
      list={list}
      columns={columns}
      empty={<Empty icon={BookOpen} title={say('ledger.none')} />}
    />
  );
}
