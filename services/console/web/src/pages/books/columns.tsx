import { Link } from 'react-router';
import { momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Status } from '../../parts/status.tsx';
import type { Audit } from './queries.ts';
import { say } from './texts.ts';

/** The first column is the way to what an audit found. */
export function auditColumns(): readonly Column<Audit>[] {
  return [
    {
      id: 'audit',
      header: say('column.audit'),
      width: 'minmax(52px, 1fr)',
      cell: ({ id }) => <Link to={`?audit=${encodeURIComponent(id)}`}>{id}</Link>,
    },
    {
      id: 'found',
      header: say('column.found'),
      width: 'minmax(148px, 1.5fr)',
      cell: (audit) => <Found audit={audit} />,
    },
    {
      id: 'by',
      header: say('column.by'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ requested_by: by }) => by ?? <span className="quiet">{say('clock')}</span>,
    },
    {
      id: 'took',
      header: say('column.took'),
      width: '92px',
      align: 'end',
      wideOnly: true,
      cell: ({ started_at, ended_at }) =>
        started_at === null || ended_at === null ? '–' : <span className="number">{ended_at - started_at} s</span>,
    },
    { ...momentColumn('ended', say('column.ended'), ({ ended_at: at }) => at), wideOnly: false, width: '72px' },
  ];
}

export function Found({ audit: { state, clean, violations } }: { audit: Audit }) {
  if (state !== 'ended') return <Status tone="busy" text={say(state === 'running' ? 'running' : 'waiting')} />;
  if (clean) return <Status tone="good" text={say('clean')} />;
  return <Status tone="bad" text={say('violations', { count: violations.length })} />;
}
