import { Button } from '@mantine/core';
import { useCursorList } from '../../api/cursor-list.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { exactMoney } from '../../parts/money.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
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
  return (
    <Table caption={say('history')}>
      <thead>
        <tr>
          {withKey && <th>{say('key')}</th>}
          <th>{say('column.price')}</th>
          <th data-align="end">{say('history.counts')}</th>
          <th>{say('history.by')}</th>
          <th>{say('history.reason')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, key, price, effective_at, set_by, reason, created }) => (
          <tr key={id}>
            {withKey && (
              <td>
                <code>{key}</code>
              </td>
            )}
            <td data-wrap>{priceText(price)}</td>
            <td data-align="end">
              <Moment at={effective_at} />
            </td>
            <td>
              {set_by}{' '}
              <span className="quiet">
                <Moment at={created} />
              </span>
            </td>
            <td data-wrap>{reason}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function priceText(price: PriceOverride['price']): string {
  if (price === null) return say('history.file');
  if (typeof price === 'number') return exactMoney(price);
  return Object.entries(price)
    .map(([unit, amount]) => `${unit} ${exactMoney(amount)}`)
    .join(' · ');
}
