import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { accountQuery } from '../../api/account.ts';
import { AccountState } from '../../parts/account-state.tsx';
import { Crumb } from '../../parts/crumb.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Actions } from './actions.tsx';
import { Facts } from './facts.tsx';
import { InvoicePanel } from './invoice.tsx';
import { Keys } from './keys.tsx';
import { Ledger } from './ledger.tsx';
import { say } from './texts.ts';

const TABS = ['about', 'keys', 'ledger', 'invoice'] as const;

/** One account: what it may, what it has, its keys, and every booking. */
export default function AccountPage() {
  const { id = '' } = useParams();
  const [words, change] = useAddress();
  const query = useQuery(accountQuery(id));
  const { data: account } = query;
  const crumb = <Crumb to="/accounts" text={say('crumb')} />;
  if (account === undefined) return <LoadingPage query={query} title={say('title')} crumb={crumb} />;
  const tab = TABS.find((each) => each === words.get('tab')) ?? 'about';
  const about = (
    <span className="row">
      <AccountState state={account.state} />
      <IdChip id={account.id} />
    </span>
  );
  return (
    <>
      <PageHead title={account.name} crumb={crumb} about={about}>
        <Actions account={account} />
      </PageHead>
      <Tabs value={tab} onChange={(value) => change({ tab: value ?? '' })} keepMounted={false}>
        <Tabs.List mb="md">
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {say(`tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="about">
          <Facts account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <Keys accountId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="ledger">
          <Ledger accountId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="invoice">
          <InvoicePanel accountId={id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
