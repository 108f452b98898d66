import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import type { Answers } from '../../api/gateway.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { Listing } from '../../parts/listing.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from './texts.ts';

type Action = Answers['adminListActions']['data'][number];

/** Who changed what. */
export default function LogPage() {
  const list = useCursorList<Action>(['log'], '/admin/v1/actions');
  const columns = useMemo(actionColumns, []);
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        empty={<Empty icon={ScrollText} title={say('none')} />}
      />
    </>
  );
}

function actionColumns(): readonly Column<Action>[] {
  return [
    { id: 'action', header: say('column.action'), width: 'minmax(0, 1fr)', cell: ({ action }) => action },
    { id: 'actor', header: say('column.actor'), width: 'minmax(0, 1fr)', cell: ({ actor }) => actor },
    {
      id: 'subject',
      header: say('column.subject'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ subject }) => <IdChip id={subject} />,
    },
    {
      id: 'created',
      header: say('column.created'),
      width: '92px',
      align: 'end',
      cell: ({ created }) => <Moment at={created} />,
    },
  ];
}
