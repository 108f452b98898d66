import { useQuery } from '@tanstack/react-query';
import { Layers } from 'lucide-react';
import { Link } from 'react-router';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TaskStatus } from '../../parts/status.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { latestTasksQuery } from './queries.ts';
import { say } from './texts.ts';

export function LatestTasks() {
  const { data, error, refetch } = useQuery(latestTasksQuery);
  return (
    <Panel title={say('tasks')} aside={<Link to="/tasks">{say('tasks.more')}</Link>} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={6} />}
      {data?.data.length === 0 && (
        <Empty icon={Layers} title={say('tasks.none')}>
          <Link to="/playground">{say('tasks.try')}</Link>
        </Empty>
      )}
      {data !== undefined && data.data.length > 0 && (
        <Table
          caption={say('tasks')}
          headHidden
          rows={data.data}
          rowId={({ id }) => id}
          columns={[
            { header: say('column.task'), cell: ({ id, model }) => <Link to={`/tasks/${id}`}>{model}</Link> },
            {
              header: say('column.status'),
              cell: (task) => <TaskStatus status={task.status} reason={task.error?.reason} />,
            },
            {
              header: say('column.cost'),
              align: 'end',
              cell: ({ cost, reserved }) => <Money amount={cost || reserved} />,
            },
            {
              header: say('column.created'),
              align: 'end',
              wideOnly: true,
              className: 'quiet',
              cell: ({ created }) => <Moment at={created} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}
