import { Button } from '@mantine/core';
import { Ban, Send } from 'lucide-react';
import { useState } from 'react';
import { useAllowed } from '../../api/roles.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DeliveryAttempts } from '../../parts/delivery-attempts.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Due } from '../../parts/moment.tsx';
import { DeliveryStatus } from '../../parts/status.tsx';
import { DELIVERIES, type Delivery } from './queries.ts';
import { say } from './texts.ts';

interface DeliveryDialogProps {
  delivery: Delivery;
  onClose(): void;
}

/** Attempt by attempt; sent again once it has ended, or ended while it is pending. */
export function DeliveryDialog({ delivery, onClose }: DeliveryDialogProps) {
  const { id, url, state, reason, attempts, next_attempt_at: next } = delivery;
  const supports = useAllowed('support');
  const [asked, setAsked] = useState<'redeliver' | 'cancel'>();
  const possible = state === 'pending' ? 'cancel' : 'redeliver';
  if (asked !== undefined) {
    return (
      <ChangeDialog
        title={say(`${asked}.title`)}
        about={say(`${asked}.about`)}
        action={say(asked)}
        dangerous={asked === 'cancel'}
        path={`/admin/v1/deliveries/${encodeURIComponent(id)}/${asked}`}
        affects={[DELIVERIES, 'case']}
        done={say(`${asked}.done`)}
        onDone={onClose}
        onClose={() => setAsked(undefined)}
      />
    );
  }
  return (
    <Dialog onClose={onClose} size="lg" title={say('delivery')}>
      <div className="stack">
        <p className="row">
          <DeliveryStatus state={state} /> <span>{url}</span> {reason !== null && <code>{reason}</code>}
        </p>
        <DeliveryAttempts attempts={attempts} />
        {next !== null && (
          <p className="quiet">
            {say('column.next')}: <Due at={next} />
          </p>
        )}
        {supports && (
          <Button
            variant="default"
            leftSection={possible === 'cancel' ? <Ban size={14} /> : <Send size={14} />}
            onClick={() => setAsked(possible)}
          >
            {say(possible)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
