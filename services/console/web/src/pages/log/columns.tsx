import { Link } from 'react-router';
import type { Answers } from '../../api/gateway.ts';
import { momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import classes from './log-page.module.css';
import { say } from './texts.ts';

export type Action = Answers['adminListActions']['data'][number];

/** @param pathTo the address that shows an entry beside the list. */
export function actionColumns(pathTo: (id: string) => string): readonly Column<Action>[] {
  return [
    {
      id: 'action',
      header: say('column.action'),
      width: 'minmax(0, 1.2fr)',
      cell: ({ id, action }) => (
        <Link to={pathTo(id)}>
          <code>{action}</code>
        </Link>
      ),
    },
    {
      id: 'actor',
      header: say('column.actor'),
      width: 'minmax(0, 1.2fr)',
      cell: ({ actor, actor_name: name }) => <span title={actor}>{name ?? actor}</span>,
    },
    {
      id: 'subject',
      header: say('column.subject'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ subject }) => <IdChip id={subject} />,
    },
    {
      id: 'reason',
      header: say('column.reason'),
      width: 'minmax(0, 1.5fr)',
      wideOnly: true,
      cell: ({ reason }) => (
        <span className={classes.reason} title={reason ?? ''}>
          {reason ?? '–'}
        </span>
      ),
    },
    { ...momentColumn('created', say('column.created'), ({ created }) => created), wideOnly: false },
  ];
}
