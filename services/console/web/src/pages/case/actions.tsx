import { Button } from '@mantine/core';
import { Ban, RotateCw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Answers } from '../../api/gateway.ts';
import { useAllowed } from '../../api/roles.ts';
import { isEnded } from '../../api/task.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { exactMoney } from '../../parts/money.tsx';
import { notify } from '../../parts/notices.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

type Action = 'retry' | 'fail' | 'refund';

interface DialogProps {
  task: Case;
  onClose(): void;
}

const AFFECTED = ['case', 'found-tasks', 'account', 'accounts', 'account-ledger'];
const DECIMALS = 9;

/** The actions that the state of the task and the role of the reader allow. */
export function Actions({ task }: { task: Case }) {
  const [supports, bills] = [useAllowed('support'), useAllowed('billing')];
  const [opened, setOpened] = useState<Action>();
  const close = () => setOpened(undefined);
  return (
    <>
      {supports && !isEnded(task) && (
        <>
          <Button variant="default" leftSection={<RotateCw size={14} />} onClick={() => setOpened('retry')}>
            {say('retry')}
          </Button>
          <Button variant="default" leftSection={<Ban size={14} />} onClick={() => setOpened('fail')}>
            {say('fail')}
          </Button>
        </>
      )}
      {bills && isRefundable(task) && (
        <Button variant="default" leftSection={<Undo2 size={14} />} onClick={() => setOpened('refund')}>
          {say('refund')}
        </Button>
      )}
      {opened === 'retry' && <Retry task={task} onClose={close} />}
      {opened === 'fail' && <Fail task={task} onClose={close} />}
      {opened === 'refund' && <Refund task={task} onClose={close} />}
    </>
  );
}

/** Whether an operator may still refund the task by hand, which is done once. */
function isRefundable({ status, cost, ledger }: Case): boolean {
  return status === 'completed' && cost > 0 && !ledger.some(({ kind }) => kind === 'adjust');
}

function Retry({ task: { id, reserved }, onClose }: DialogProps) {
  return (
    <ChangeDialog
      title={say('retry.title')}
      about={say('retry.about', { amount: exactMoney(reserved) })}
      action={say('retry')}
      path={`/admin/v1/tasks/${id}/retry`}
      affects={AFFECTED}
      onDone={() => {
        notify(say('retry.done'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function Fail({ task: { id, reserved }, onClose }: DialogProps) {
  return (
    <ChangeDialog
      title={say('fail.title')}
      about={say('fail.about', { amount: exactMoney(reserved) })}
      action={say('fail')}
      dangerous
      path={`/admin/v1/tasks/${id}/fail`}
      affects={AFFECTED}
      onDone={() => {
        notify(say('fail.done', { amount: exactMoney(reserved) }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function Refund({ task: { id, cost }, onClose }: DialogProps) {
  const [amount, setAmount] = useState<number | ''>(cost);
  return (
    <ChangeDialog<Answers['adminRefundTask']['data']>
      title={say('refund.title')}
      about={say('refund.about', { amount: exactMoney(amount || 0), cost: exactMoney(cost) })}
      action={say('refund.press', { amount: exactMoney(amount || 0) })}
      dangerous
      path={`/admin/v1/tasks/${id}/refund`}
      body={{ amount }}
      affects={AFFECTED}
      disabled={amount === ''}
      onDone={({ refunded, balance }) => {
        notify(say('refund.done', { refunded: exactMoney(refunded), balance: exactMoney(balance) }));
        onClose();
      }}
      onClose={onClose}
    >
      {(faultOf) => (
        <NumberField
          label={say('refund.amount')}
          description={say('refund.most', { cost: exactMoney(cost) })}
          min={0}
          max={cost}
          decimalScale={DECIMALS}
          value={amount}
          error={faultOf('amount')}
          onChange={setAmount}
          data-autofocus
        />
      )}
    </ChangeDialog>
  );
}
