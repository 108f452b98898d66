import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { change } from '../../api/gateway.ts';
import { DeliveryAttempts } from '../../parts/delivery-attempts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { notify, notifyFailure } from '../../parts/notices.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DeliveryStatus } from '../../parts/status.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import classes from './deliveries.module.css';
import { type Delivery, deliveriesQuery } from './queries.ts';
import { say } from './texts.ts';

/** How the task's callback was delivered, attempt by attempt. */
export function Deliveries({ id, expected }: { id: string; expected: boolean }) {
  const { data, error, refetch } = useQuery({ ...deliveriesQuery(id), enabled: expected });
  if (!expected) return null;
  return (
    <Panel title={say('callback')} aside={<Redeliver id={id} />} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={2} />}
      {data?.length === 0 && <p className="quiet">{say('callback.waiting')}</p>}
      {data?.map((delivery) => (
        <Attempts key={delivery.id} {...delivery} />
      ))}
    </Panel>
  );
}

function Attempts({ url, state, reason, created, attempts }: Delivery) {
  return (
    <>
      <div className={classes.delivery}>
        <DeliveryStatus state={state} />
        <span className={classes.url}>{url}</span>
        <span className="quiet">
          {reason} <Moment at={created} />
        </span>
      </div>
      <DeliveryAttempts attempts={attempts} />
    </>
  );
}

function Redeliver({ id }: { id: string }) {
  const queries = useQueryClient();
  const redeliver = useMutation({
    mutationFn: () => change('POST', `/v1/tasks/${id}/redeliver`),
    onSuccess: () => notify(say('callback.again.done')),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesQuery(id).queryKey }),
  });
  return (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={<Send size={12} />}
      loading={redeliver.isPending}
      onClick={() => redeliver.mutate()}
    >
      {say('callback.again')}
    </Button>
  );
}
