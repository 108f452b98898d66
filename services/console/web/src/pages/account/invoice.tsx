import { SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dataQuery } from '../../api/data-query.ts';
import { VIEWERS_ZONE } from '../../api/days.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { countText } from '../../parts/count-text.ts';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { useAddress } from '../../parts/use-address.ts';
import type { Invoice } from './queries.ts';
import { say } from './texts.ts';

const ZONES = [...new Set(['UTC', VIEWERS_ZONE])];
const MONTH = /^\d{4}-\d{2}$/;
const TOTALS = ['opening_balance', 'payments', 'adjustments', 'refunds', 'charges', 'closing_balance'] as const;

/** The bookings of a month of UTC, or of the viewer's zone where that is chosen: the balance before and after it, and charges by model. */
export function InvoicePanel({ accountId }: { accountId: string }) {
  const [words, change] = useAddress();
  const wanted = words.get('month') ?? '';
  const month = MONTH.test(wanted) ? wanted : new Date().toISOString().slice(0, 7);
  const timezone = ZONES.find((each) => each === words.get('zone')) ?? 'UTC';
  const query = { month, timezone };
  const path = `/admin/v1/accounts/${accountId}/invoice`;
  const { data, error, refetch } = useQuery(dataQuery<Invoice>(['account-invoice', accountId, query], path, { query }));
  return (
    <div className="stack">
      <div className="row">
        <TextInput
          type="month"
          aria-label={say('invoice.month')}
          value={month}
          onChange={({ currentTarget }) => change({ month: currentTarget.value })}
        />
        {ZONES.length > 1 && <ZoneChoice zone={timezone} choose={(zone) => change({ zone })} />}
        <CsvButton path={path} query={query} name={`invoice-${accountId}-${month}`} />
        {data !== undefined && (
          <Status tone={data.final ? 'good' : 'busy'} text={say(data.final ? 'invoice.final' : 'invoice.open')} />
        )}
      </div>
      {error && <Failure error={error} retry={refetch} />}
      <Panel flush>
        {!error && data === undefined && <TableSkeleton rows={6} />}
        {data !== undefined && <Totals invoice={data} />}
      </Panel>
      {data !== undefined && data.lines.length > 0 && <Lines invoice={data} />}
    </div>
  );
}

function ZoneChoice({ zone, choose }: { zone: string; choose: (zone: string) => void }) {
  return <SegmentedControl aria-label={say('invoice.zone')} data={ZONES} value={zone} onChange={choose} />;
}

function Totals({ invoice }: { invoice: Invoice }) {
  return (
    <Table
      caption={say('tab.invoice')}
      headHidden
      rows={TOTALS}
      rowId={(name) => name}
      columns={[
        { header: sayFrame('ledger.kind'), cell: (name) => say(`invoice.${name}`) },
        {
          header: sayFrame('ledger.amount'),
          align: 'end',
          cell: (name) => <Money amount={name === 'charges' ? -invoice.charges : invoice[name]} />,
        },
      ]}
    />
  );
}

function Lines({ invoice: { lines } }: { invoice: Invoice }) {
  return (
    <Panel title={say('invoice.lines')} flush>
      <Table
        caption={say('invoice.lines')}
        rows={lines}
        rowId={({ model }) => model ?? ''}
        columns={[
          { header: say('invoice.model'), cell: ({ model }) => model ?? '–' },
          { header: say('invoice.tasks'), align: 'end', cell: ({ tasks }) => countText(tasks) },
          { header: say('invoice.units'), long: 'wrap', className: 'quiet', cell: ({ units }) => unitsText(units) },
          { header: say('invoice.charged'), align: 'end', cell: ({ charged }) => <Money amount={charged} /> },
        ]}
      />
    </Panel>
  );
}

function unitsText(units: Record<string, number>): string {
  return Object.entries(units)
    .map(([unit, quantity]) => `${unit} ${quantity}`)
    .join(' · ');
}
