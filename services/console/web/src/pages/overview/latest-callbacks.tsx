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
        <Table
          caption={say('callbacks')}
          headHidden
          rows={data}
          rowId={({ id }) => id}
          columns={[
            {
              header: say('column.address'),
              long: 'cut',
              cell: ({ id, callback }) => <Link to={`/tasks/${id}`}>{callback?.url}</Link>,
            },
            { header: say('column.status'), cell: ({ callback }) => <DeliveryStatus state={callback?.state ?? ''} /> },
            {
              header: say('column.created'),
              align: 'end',
              className: 'quiet',
              cell: ({ created }) => <Moment at={created} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}
