import type { components } from '../api/generated/api.ts';
import { say } from '../frame/texts.ts';
import { Moment } from './moment.tsx';
import { Table } from './table.tsx';

type Attempt = components['schemas']['OperatorDelivery']['attempts'][number];

/** Each request of a callback, and what was answered. */
export function DeliveryAttempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className="quiet">{say('delivery.none')}</p>;
  return (
    <Table
      caption={say('delivery.attempts')}
      rows={attempts}
      rowId={({ number }) => number}
      columns={[
        { header: say('delivery.attempt'), cell: ({ number }) => number },
        { header: say('delivery.answer'), long: 'wrap', cell: answerText },
        { header: say('delivery.took'), align: 'end', wideOnly: true, cell: tookText },
        { header: say('delivery.sent'), align: 'end', cell: ({ started_at: at }) => <Moment at={at} /> },
      ]}
    />
  );
}

function answerText({ status, error }: Attempt): string {
  return [status, error].filter((part) => part !== null).join(' · ') || '–';
}

function tookText({ started_at, ended_at }: Attempt): string {
  return ended_at === null ? '–' : `${(ended_at - started_at).toFixed(2)} s`;
}
