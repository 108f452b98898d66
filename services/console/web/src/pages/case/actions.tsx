import { Ban, RotateCw, Undo2 } from 'lucide-react';
import type { Answers } from '../../api/gateway.ts';
import { useAllowed } from '../../api/roles.ts';
import { isEnded } from '../../api/task.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { fieldsOf, useForm } from '../../parts/fields.tsx';
import { exactMoney } from '../../parts/money.tsx';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

const AFFECTED = ['case', 'found-tasks', 'account', 'accounts', 'account-ledger'];

/** The actions that the state of the task and the role of the reader allow. */
export function Actions({ task }: { task: Case }) {
  const [supports, bills] = [useAllowed('support'), useAllowed('billing')];
  return (
    <>
      {supports && !isEnded(task) && (
        <>
          <Retry task={task} />
          <Fail task={task} />
        </>
      )}
      {bills && isRefundable(task) && <Refund task={task} />}
    </>
  );
}

/** Whether an operator may still refund the task by hand, which is done once. */
function isRefundable({ status, cost, ledger }: Case): boolean {
  return status === 'completed' && cost > 0 && !ledger.some(({ kind }) => kind === 'adjust');
}

function Retry({ task: { id, reserved } }: { task: Case }) {
  return (
    <ChangeButton
      button={{ leftSection: <RotateCw size={14} /> }}
      title={say('retry.title')}
      about={say('retry.about', { amount: exactMoney(reserved) })}
      action={say('retry')}
      path={`/admin/v1/tasks/${id}/retry`}
      affects={AFFECTED}
      done={say('retry.done')}
    />
  );
}

function Fail({ task: { id, reserved } }: { task: Case }) {
  return (
    <ChangeButton
      button={{ leftSection: <Ban size={14} /> }}
      title={say('fail.title')}
      about={say('fail.about', { amount: exactMoney(reserved) })}
      action={say('fail')}
      dangerous
      path={`/admin/v1/tasks/${id}/fail`}
      affects={AFFECTED}
      done={say('fail.done', { amount: exactMoney(reserved) })}
    />
  );
}

function Refund({ task: { id, cost } }: { task: Case }) {
  const form = useForm<{ amount: number | '' }>({ amount: cost });
  const { amount } = form.values;
  const most = say('refund.most', { cost: exactMoney(cost) });
  return (
    <ChangeButton<Answers['adminRefundTask']['data']>
      button={{ leftSection: <Undo2 size={14} /> }}
      label={say('refund')}
      title={say('refund.title')}
      about={say('refund.about', { amount: exactMoney(amount || 0), cost: exactMoney(cost) })}
      action={say('refund.press', { amount: exactMoney(amount || 0) })}
      dangerous
      path={`/admin/v1/tasks/${id}/refund`}
      body={{ amount }}
      affects={AFFECTED}
      disabled={amount === ''}
      done={({ refunded, balance }) =>
        say('refund.done', { refunded: exactMoney(refunded), balance: exactMoney(balance) })
      }
    >
      {fieldsOf(form, [
        { kind: 'amount', name: 'amount', label: say('refund.amount'), about: most, min: 0, max: cost },
      ])}
    </ChangeButton>
  );
}
