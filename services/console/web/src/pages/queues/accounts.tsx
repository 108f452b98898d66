import { useQuery } from '@tanstack/react-query';
import { queuesQuery } from '../../api/queues.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { Count } from '../../parts/backlog.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { say } from './texts.ts';

/** The accounts with the most work that has not ended; nothing where there is none. */
export function Accounts() {
  const { data } = useQuery(queuesQuery);
  if (!data?.accounts.length) return null;
  return (
    <Panel title={say('accounts')} flush>
      <Table caption={say('accounts')}>
        <thead>
          <tr>
            <th>{say('account')}</th>
            <th data-align="end">{sayFrame('backlog.waiting')}</th>
            <th data-align="end">{sayFrame('backlog.running')}</th>
          </tr>
        </thead>
        <tbody>
          {data.accounts.map(({ account_id, waiting, running }) => (
            <tr key={account_id}>
              <td>
                <AccountLink id={account_id} />
              </td>
              <Count value={waiting} />
              <Count value={running} />
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
