import { useQuery } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import { Link } from 'react-router';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DeliveryStatus } from '../../parts/status.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { latestCallbacksQuery } from './queries.ts';
import { say } from './texts.ts';

export function LatestCallbacks() {
  const { data, error, refetch } = useQuery(latestCallbacksQuery);
  return (
    <Panel title={say('callbacks')} aside={<Link to="/callbacks">{say('callbacks.more')}</Link>} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={6} />}
      {data?.length === 0 && (
        <Empty icon={Webhook} title={say('callbacks.none')}>
          {say('callbacks.about')}
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <Table caption={say('callbacks')}>
          <thead className="hidden-visually">
            <tr>
              <th>{say('column.address')}</th>
              <th>{say('column.status')}</th>
              <th>{say('column.created')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ id, callback, created }) => (
              <tr key={id}>
                <td data-cut>
                  <Link to={`/tasks/${id}`}>{callback?.url}</Link>
                </td>
                <td>
                  <DeliveryStatus state={callback?.state ?? ''} />
                </td>
                <td data-align="end" className="quiet">
                  <Moment at={created} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}
