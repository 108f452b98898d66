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
        <Table caption={say('tasks')}>
          <thead className="hidden-visually">
            <tr>
              <th>{say('column.task')}</th>
              <th>{say('column.status')}</th>
              <th>{say('column.cost')}</th>
              <th data-wide>{say('column.created')}</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map(({ id, model, status, error: fault, cost, reserved, created }) => (
              <tr key={id}>
                <td>
                  <Link to={`/tasks/${id}`}>{model}</Link>
                </td>
                <td>
                  <TaskStatus status={status} reason={fault?.reason} />
                </td>
                <td data-align="end">
                  <Money amount={cost || reserved} />
                </td>
                <td data-align="end" data-wide className="quiet">
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
