import { Button } from '@mantine/core';
import { useCursorList } from '../../api/cursor-list.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { exactMoney } from '../../parts/money.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/table.tsx';
import { PRICES, type PriceOverride } from './queries.ts';
import { say } from './texts.ts';

interface HistoryDialogProps {
  /** Empty: of all. */
  billingKey: string;
  onClose(): void;
}

/** The prices that operators have set, also those that are still to apply. */
export function HistoryDialog({ billingKey, onClose }: HistoryDialogProps) {
  const query = billingKey === '' ? {} : { key: billingKey };
  const { rows, error, hasMore, retry, onEnd } = useCursorList<PriceOverride>(
    [PRICES, 'history'],
    '/admin/v1/prices/history',
    query,
  );
  const title = billingKey === '' ? say('history') : say('history.one', { key: billingKey });
  return (
    <Dialog onClose={onClose} size="xl" title={title}>
      {error && <Failure error={error} retry={retry} />}
      {!error && rows === undefined && <TableSkeleton rows={4} />}
      {rows?.length === 0 && <p className="quiet">{say('history.none')}</p>}
      {rows !== undefined && rows.length > 0 && <Overrides rows={rows} withKey={billingKey === ''} />}
      {hasMore && (
        <Button variant="default" onClick={onEnd}>
          {sayFrame('more')}
        </Button>
      )}
    </Dialog>
  );
}

function Overrides({ rows, withKey }: { rows: readonly PriceOverride[]; withKey: boolean }) {
  const key: Column<PriceOverride> = { header: say('key'), cell: (row) => <code>{row.key}</code> };
  const columns: Column<PriceOverride>[] = [
    { header: say('column.price'), long: 'wrap', cell: ({ price }) => priceText(price) },
    { header: say('history.counts'), align: 'end', cell: ({ effective_at: at }) => <Moment at={at} /> },
    {
      header: say('history.by'),
      cell: ({ set_by, created }) => (
        <>
          {set_by}{' '}
          <span className="quiet">
            <Moment at={created} />
          </span>
        </>
      ),
    },
    { header: say('history.reason'), long: 'wrap', cell: ({ reason }) => reason },
  ];
  return (
    <Table
      caption={say('history')}
      rows={rows}
      rowId={({ id }) => id}
      columns={withKey ? [key, ...columns] : columns}
    />
  );
}

function priceText(price: PriceOverride['price']): string {
  if (price === null) return say('history.file');
  if (typeof price === 'number') return exactMoney(price);
  return Object.entries(price)
    .map(([unit, amount]) => `${unit} ${exactMoney(amount)}`)
    .join(' · ');
}
