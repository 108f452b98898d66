import { useQuery } from '@tanstack/react-query';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { type OwnSession, sessionsQuery } from './queries.ts';
import { say } from './texts.ts';

/** The sessions in which the user is signed in. */
export function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  return (
    <Panel title={say('sessions')} flush aside={sessions !== undefined && sessions.length > 1 && <EndOthers />}>
      {error && <Failure error={error} retry={refetch} />}
      {sessions === undefined && !error && <TableSkeleton rows={2} />}
      {sessions !== undefined && <SessionTable sessions={sessions} />}
    </Panel>
  );
}

function SessionTable({ sessions }: { sessions: readonly OwnSession[] }) {
  return (
    <Table
      caption={say('sessions')}
      rows={sessions}
      rowId={(_session, index) => index}
      columns={[
        { header: say('sessions.browser'), cell: ({ current }) => say(current ? 'sessions.this' : 'sessions.other') },
        { header: say('sessions.begun'), cell: ({ created }) => <Moment at={created} /> },
        { header: say('sessions.used'), cell: ({ last_used_at: at }) => <Moment at={at} /> },
      ]}
    />
  );
}

function EndOthers() {
  return (
    <ChangeButton
      button={{ size: 'compact-xs' }}
      title={say('sessions.end')}
      about={say('sessions.end.about')}
      action={say('sessions.end')}
      dangerous
      method="DELETE"
      path="/session/others"
      affects={['profile']}
      asksReason={false}
      done={say('sessions.done')}
    />
  );
}
