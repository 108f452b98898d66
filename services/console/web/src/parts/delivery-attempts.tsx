import type { components } from '../api/generated/api.ts';
import { say } from '../frame/texts.ts';
import { Moment } from './moment.tsx';
import { Table } from './table.tsx';

type Attempt = components['schemas']['OperatorDelivery']['attempts'][number];

/** Each request of a callback, and what was answered. */
export function DeliveryAttempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className="quiet">{say('delivery.none')}</p>;
  return (
    <Table caption={say('delivery.attempts')}>
      <thead>
        <tr>
          <th>{say('delivery.attempt')}</th>
          <th>{say('delivery.answer')}</th>
          <th data-align="end" data-wide>
            {say('delivery.took')}
          </th>
          <th data-align="end">{say('delivery.sent')}</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map(({ number, status, error, started_at, ended_at }) => (
          <tr key={number}>
            <td className="number">{number}</td>
            <td data-wrap>{[status, error].filter((part) => part !== null).join(' · ') || '–'}</td>
            <td data-align="end" data-wide className="number">
              {ended_at === null ? '–' : `${(ended_at - started_at).toFixed(2)} s`}
            </td>
            <td data-align="end">
              <Moment at={started_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
