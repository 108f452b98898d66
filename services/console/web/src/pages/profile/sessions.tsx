import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { notify, notifyFailure } from '../../parts/notices.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { type OwnSession, sessionsQuery } from './queries.ts';
import { say } from './texts.ts';

/** The sessions in which the user is signed in. */
export function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const [asked, setAsked] = useState(false);
  return (
    <Panel
      title={say('sessions')}
      flush
      {...(sessions !== undefined &&
        sessions.length > 1 && {
          aside: (
            <Button size="compact-xs" variant="default" onClick={() => setAsked(true)}>
              {say('sessions.end')}
            </Button>
          ),
        })}
    >
      {error && <Failure error={error} retry={refetch} />}
      {sessions === undefined && !error && <TableSkeleton rows={2} />}
      {sessions !== undefined && <SessionTable sessions={sessions} />}
      {asked && <EndOthers onClose={() => setAsked(false)} />}
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

function EndOthers({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => request('/session/others', { method: 'DELETE' }),
    onSuccess: () => notify(say('sessions.done')),
    onError: notifyFailure,
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <Confirm
      opened
      title={say('sessions.end')}
      text={say('sessions.end.about')}
      action={say('sessions.end')}
      busy={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  );
}
