import { Link } from 'react-router';
import { DeliveryAttempts } from '../../parts/delivery-attempts.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DeliveryStatus } from '../../parts/status.tsx';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

/** How the task's callback was delivered. */
export function Callback({ task: { id, delivery } }: { task: Case }) {
  if (delivery === null) return null;
  const { url, state, reason, attempts } = delivery;
  return (
    <Panel title={say('callback')} aside={<Link to={`/deliveries?task_id=${id}`}>{say('callback.open')}</Link>}>
      <div className="stack">
        <p className="row">
          <DeliveryStatus state={state} /> <span>{url}</span> {reason !== null && <code>{reason}</code>}
        </p>
        <DeliveryAttempts attempts={attempts} />
      </div>
    </Panel>
  );
}
