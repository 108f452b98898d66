import { Button, Menu } from '@mantine/core';
import { ArrowDownLeft, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { type OperatorRole, useAllowed } from '../../api/roles.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import type { Account } from './queries.ts';
import { type StateChange, StateDialog } from './state-dialog.tsx';
import { say } from './texts.ts';
import { TopUpDialog } from './top-up-dialog.tsx';

type Opened = 'topUp' | 'adjust' | 'limits' | StateChange;

interface Offer {
  action: Opened;
  role: OperatorRole;
  states: readonly Account['state'][];
}

/** Each action, with the role that may take it and the states of the account in which it is offered. */
const OFFERS: readonly Offer[] = [
  { action: 'adjust', role: 'billing', states: ['active', 'suspended', 'closed'] },
  { action: 'limits', role: 'support', states: ['active', 'suspended'] },
  { action: 'suspend', role: 'support', states: ['active'] },
  { action: 'resume', role: 'support', states: ['suspended'] },
  { action: 'close', role: 'admin', states: ['active', 'suspended'] },
];

export function Actions({ account }: { account: Account }) {
  const [opened, setOpened] = useState<Opened>();
  const may = {
    read: true,
    support: useAllowed('support'),
    billing: useAllowed('billing'),
    admin: useAllowed('admin'),
  };
  const offers = OFFERS.filter(({ role, states }) => may[role] && states.includes(account.state));
  const close = () => setOpened(undefined);
  return (
    <>
      {may.billing && account.state !== 'closed' && (
        <Button leftSection={<ArrowDownLeft size={14} />} onClick={() => setOpened('topUp')}>
          {say('topUp')}
        </Button>
      )}
      {offers.length > 0 && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Button variant="default" rightSection={<ChevronDown size={14} />}>
              {say('actions')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offers.map(({ action }) => (
              <Menu.Item key={action} onClick={() => setOpened(action)}>
                {say(action)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {opened === 'topUp' && <TopUpDialog account={account} onClose={close} />}
      {opened === 'adjust' && <AdjustDialog account={account} onClose={close} />}
      {opened === 'limits' && <LimitsDialog account={account} onClose={close} />}
      {(opened === 'suspend' || opened === 'resume' || opened === 'close') && (
        <StateDialog account={account} change={opened} onClose={close} />
      )}
    </>
  );
}
