import { Button } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Answers } from '../../api/gateway.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { notify } from '../../parts/notices.tsx';
import { DELIVERIES } from './queries.ts';
import { say } from './texts.ts';

type Sent = Answers['adminRedeliverMany']['data'];

interface RedeliverManyProps {
  /** Tasks whose callbacks were chosen; none: all that the list shows. */
  taskIds: readonly string[];
  state: string;
  accountId: string;
  onDone(): void;
}

/** Sends the chosen callbacks again, or all of a state; a thousand at a time, and says whether there are more. */
export function RedeliverMany(props: RedeliverManyProps) {
  const [opened, setOpened] = useState(false);
  const count = props.taskIds.length;
  if (count === 0 && !isRepeatable(props.state)) return null;
  return (
    <>
      <Button variant="default" leftSection={<Send size={14} />} onClick={() => setOpened(true)}>
        {count > 0 ? say('chosen', { count }) : say('all')}
      </Button>
      {opened && <RedeliverManyDialog {...props} onClose={() => setOpened(false)} />}
    </>
  );
}

/** Whether the callbacks of this state can be sent again: pending ones are sent anyway. */
function isRepeatable(state: string): boolean {
  return state !== '' && state !== 'pending';
}

function RedeliverManyDialog({ taskIds, state, accountId, onDone, onClose }: RedeliverManyProps & { onClose(): void }) {
  const [before, setBefore] = useState<{ count: number; cursor: string }>();
  const isChosen = taskIds.length > 0;
  const filter = isChosen ? { task_ids: taskIds } : { state, ...(accountId !== '' && { account_id: accountId }) };
  const finish = ({ redelivered, next_cursor }: Sent) => {
    const count = redelivered + (before?.count ?? 0);
    if (next_cursor !== null) return setBefore({ count, cursor: next_cursor });
    notify(say('many.done', { count }));
    onDone();
    onClose();
  };
  return (
    <ChangeDialog<Sent>
      title={isChosen ? say('chosen.title', { count: taskIds.length }) : say('all.title')}
      about={before === undefined ? say('many.about') : say('many.more', { count: before.count })}
      action={say(before === undefined ? 'redeliver' : 'many.goOn')}
      path="/admin/v1/deliveries/redeliver"
      body={{ ...filter, ...(before && { cursor: before.cursor }) }}
      affects={[DELIVERIES, 'case']}
      onDone={finish}
      onClose={onClose}
    />
  );
}
