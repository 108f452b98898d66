import { Button, Modal, NumberInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Building2, Search } from 'lucide-react';
import { type FormEvent, useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { change } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { Listing } from '../../parts/listing.tsx';
import { exactMoney, Money } from '../../parts/money.tsx';
import { notify, notifyFailure } from '../../parts/notices.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Status } from '../../parts/status.tsx';
import { useAddress } from '../../parts/use-address.ts';
import classes from './accounts-page.module.css';
import { say } from './texts.ts';

type Account = components['schemas']['Account'];
const KEY = ['accounts'];

export default function AccountsPage() {
  const [words, changeWords] = useAddress();
  const query = words.get('query') ?? '';
  const list = useCursorList<Account>(KEY, '/admin/v1/accounts', { query });
  const [chosen, setChosen] = useState<Account>();
  const columns = useMemo(() => accountColumns(setChosen), []);
  return (
    <>
      <PageHead title={say('title')} />
      <TextInput
        className={classes.search ?? ''}
        type="search"
        aria-label={say('search')}
        placeholder={say('search')}
        leftSection={<Search size={14} />}
        value={query}
        onChange={({ currentTarget }) => changeWords({ query: currentTarget.value })}
      />
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        empty={<Empty icon={Building2} title={say('none')} />}
      />
      {chosen !== undefined && <TopUp account={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function accountColumns(onTopUp: (account: Account) => void): readonly Column<Account>[] {
  return [
    { id: 'name', header: say('column.name'), width: 'minmax(0, 2fr)', cell: ({ name }) => name },
    { id: 'id', header: say('column.id'), width: '150px', wideOnly: true, cell: ({ id }) => <IdChip id={id} /> },
    {
      id: 'state',
      header: say('column.state'),
      width: '108px',
      wideOnly: true,
      cell: ({ state }) => <Status tone={state === 'active' ? 'good' : 'bad'} text={say(`state.${state}`)} />,
    },
    {
      id: 'balance',
      header: say('column.balance'),
      width: 'minmax(72px, 1fr)',
      align: 'end',
      cell: ({ balance }) => <Money amount={balance} />,
    },
    {
      id: 'held',
      header: say('column.held'),
      width: '88px',
      align: 'end',
      wideOnly: true,
      cell: ({ held }) => <Money amount={held} />,
    },
    {
      id: 'settled',
      header: say('column.settled'),
      width: '96px',
      align: 'end',
      wideOnly: true,
      cell: ({ settled }) => <Money amount={settled} />,
    },
    {
      id: 'actions',
      header: '',
      width: '84px',
      align: 'end',
      cell: (account) => (
        <Button variant="default" size="compact-xs" onClick={() => onTopUp(account)}>
          {say('topUp')}
        </Button>
      ),
    },
  ];
}

function TopUp({ account, onClose }: { account: Account; onClose(): void }) {
  const queries = useQueryClient();
  const [amount, setAmount] = useState<number>(0);
  // One key for all tries of this dialog: a repetition books nothing twice.
  const [key] = useState(() => crypto.randomUUID());
  const topUp = useMutation({
    mutationFn: (note: string) =>
      change<{ data: Account }>(
        'POST',
        `/admin/v1/accounts/${account.id}/top-up`,
        { amount, ...(note !== '' && { note }) },
        { 'Idempotency-Key': key },
      ),
    onSuccess: ({ data }) => {
      notify(say('topUp.done', { name: data.name, balance: exactMoney(data.balance) }));
      onClose();
    },
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    topUp.mutate(String(new FormData(event.currentTarget).get('note')).trim());
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('topUp.title', { name: account.name })}
      closeButtonProps={{ 'aria-label': sayFrame('close') }}
    >
      <form className="stack" onSubmit={submit}>
        <NumberInput
          label={say('topUp.amount')}
          min={0}
          decimalScale={9}
          value={amount}
          onChange={(value) => setAmount(Number(value))}
          data-autofocus
        />
        <TextInput label={say('topUp.note')} name="note" maxLength={200} />
        <p className={classes.about}>{say('topUp.about')}</p>
        <Button type="submit" size="sm" disabled={amount <= 0} loading={topUp.isPending}>
          {say('topUp')}
        </Button>
      </form>
    </Modal>
  );
}
