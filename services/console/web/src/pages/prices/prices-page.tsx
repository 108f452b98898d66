import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { History, Plus, Tags } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAllowed } from '../../api/roles.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { NarrowField } from '../../parts/narrow-field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { type PriceAction, priceColumns } from './columns.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { type Price, pricesQuery } from './queries.ts';
import { say } from './texts.ts';

type Opened = { action: PriceAction | 'all' | 'other'; key: string };

const NOTHING = () => {};

/** The prices of everything now, who has set them, and the prices to come. */
export default function PricesPage() {
  const [words, change] = useAddress();
  const text = words.get('query') ?? '';
  const { data, error, refetch } = useQuery(pricesQuery);
  const [opened, setOpened] = useState<Opened>();
  const bills = useAllowed('billing');
  const columns = useMemo(
    () => priceColumns({ bills, onChoose: (action, key) => setOpened({ action, key }) }),
    [bills],
  );
  const rows = useMemo(() => data && matching(data, text), [data, text]);
  const close = () => setOpened(undefined);
  return (
    <>
      <PageHead title={say('title')} about={say('about')}>
        <Button
          variant="default"
          leftSection={<History size={14} />}
          onClick={() => setOpened({ action: 'all', key: '' })}
        >
          {say('history')}
        </Button>
        {bills && (
          <Button leftSection={<Plus size={14} />} onClick={() => setOpened({ action: 'other', key: '' })}>
            {say('other')}
          </Button>
        )}
      </PageHead>
      <NarrowField label={say('search')} value={text} onChange={(query) => change({ query })} />
      {error && <Failure error={error} retry={refetch} />}
      <Panel flush>
        {!error && rows === undefined && <TableSkeleton rows={12} />}
        {rows?.length === 0 && <Empty icon={Tags} title={say('none')} />}
        {rows !== undefined && rows.length > 0 && (
          <DataTable caption={say('title')} columns={columns} rows={rows} rowId={idOf} onEnd={NOTHING} />
        )}
      </Panel>
      {opened !== undefined && opened.action !== 'change' && opened.action !== 'other' && (
        <HistoryDialog billingKey={opened.key} onClose={close} />
      )}
      {(opened?.action === 'change' || opened?.action === 'other') && (
        <PriceDialog prices={data?.filter(({ key }) => key === opened.key) ?? []} onClose={close} />
      )}
    </>
  );
}

function idOf({ key, unit }: Price): string {
  return `${key} ${unit}`;
}

function matching(prices: readonly Price[], text: string): Price[] {
  const wanted = text.trim().toLowerCase();
  return prices.filter(({ key, model, unit }) => `${key} ${model} ${unit}`.toLowerCase().includes(wanted));
}
