import { useQuery } from '@tanstack/react-query';
import { queuesQuery } from '../../api/queues.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { countText } from '../../parts/count-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { say } from './texts.ts';

/** The accounts with the most work that has not ended; nothing where there is none. */
export function Accounts() {
  const { data } = useQuery(queuesQuery);
  if (!data?.accounts.length) return null;
  return (
    <Panel title={say('accounts')} flush>
      <Table
        caption={say('accounts')}
        rows={data.accounts}
        rowId={({ account_id: id }) => id}
        columns={[
          { header: say('account'), cell: ({ account_id: id }) => <AccountLink id={id} /> },
          { header: sayFrame('backlog.waiting'), align: 'end', cell: ({ waiting }) => countText(waiting) },
          { header: sayFrame('backlog.running'), align: 'end', cell: ({ running }) => countText(running) },
        ]}
      />
    </Panel>
  );
}
