import { Link } from 'react-router';
import { momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import classes from './columns.module.css';
import { type Kind, pageOfNotice } from './notice-kinds.ts';
import type { Notice } from './queries.ts';
import { say } from './texts.ts';

/** Conditions that money ends are warnings; failures are worse. */
const WARNINGS: readonly string[] = ['low_balance', 'key_quota'];

/** The sentence leads to where it is put right. */
export function noticeColumns(isOperator: boolean): readonly Column<Notice>[] {
  return [
    {
      id: 'state',
      header: say('column.state'),
      width: '112px',
      cell: (notice) => <NoticeState {...notice} />,
    },
    {
      id: 'text',
      header: say('column.text'),
      width: 'minmax(0, 3fr)',
      cell: (notice) => (
        <span className={classes.text}>
          <Link to={pageOfNotice(notice, isOperator)} title={notice.text}>
            {notice.text}
          </Link>
          <span className="quiet">{say(`kind.${notice.kind as Kind}`)}</span>
        </span>
      ),
    },
    momentColumn('since', say('column.since'), ({ since }) => since),
    momentColumn('until', say('column.until'), ({ ended_at: at }) => at),
    {
      id: 'told',
      header: say('column.told'),
      width: '116px',
      align: 'end',
      wideOnly: true,
      cell: ({ reported_at: at }) =>
        at === null ? <span className="quiet">{say('notTold')}</span> : <Moment at={at} />,
    },
  ];
}

function NoticeState({ state, kind }: Notice) {
  if (state === 'resolved') return <Status tone="good" text={say('state.resolved')} />;
  return <Status tone={WARNINGS.includes(kind) ? 'warning' : 'bad'} text={say('state.standing')} />;
}
