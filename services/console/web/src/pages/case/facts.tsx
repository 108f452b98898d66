import { Link } from 'react-router';
import { isEnded } from '../../api/task.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { IdChip, shortId } from '../../parts/id-chip.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

/** The task's account and key, the ids and metadata by which its caller knows it, and when it goes on. */
export function Facts({ task }: { task: Case }) {
  const { account_id, key_id, family, request_id, created, completed, cost, parent_task_id, metadata = {} } = task;
  const { failed_steps, next_step_at, lease_until, deadline_at } = task;
  const runs = !isEnded(task);
  return (
    <Panel title={say('facts')}>
      <FactList
        facts={[
          [say('facts.account'), <AccountLink key="account" id={account_id} />],
          [
            say('facts.key'),
            <Link key="key" to={`/accounts/${account_id}?tab=keys&key=${key_id}`}>
              <code>{key_id}</code>
            </Link>,
          ],
          [say('facts.family'), <QueueLink key="family" of={family} />],
          request_id !== null && [say('facts.request'), <IdChip key="request" id={request_id} />],
          parent_task_id !== undefined && [
            say('facts.parent'),
            <Link key="parent" to={`/tasks/${parent_task_id}`}>
              {shortId(parent_task_id)}
            </Link>,
          ],
          [say('facts.created'), <Moment key="created" at={created} />],
          completed !== undefined && [say('facts.took'), `${completed - created} s`],
          !runs && [say('facts.cost'), <Money key="cost" amount={cost} />],
          runs && [say('facts.next'), <Moment key="next" at={next_step_at} />],
          runs && lease_until !== null && [say('facts.lease'), <Moment key="lease" at={lease_until} />],
          runs && [say('facts.deadline'), <Moment key="deadline" at={deadline_at} />],
          failed_steps > 0 && [say('facts.failedSteps'), failed_steps],
          task.test === true && [say('facts.mode'), say('facts.test')],
          ...Object.entries(metadata).map(([name, value]): [string, string] => [name, String(value)]),
        ]}
      />
    </Panel>
  );
}

function QueueLink({ of }: { of: string }) {
  return <Link to={`/queues?queue=${of}`}>{of}</Link>;
}
