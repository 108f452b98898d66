import { Link } from 'react-router';
import { millisecondsText } from '../../parts/duration.ts';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import type { History } from './queries.ts';
import { say } from './texts.ts';

/** The same time by model, the most asked for first. */
export function Models({ models }: { models: History['models'] }) {
  return (
    <Panel title={say('byModel')} flush>
      <Table caption={say('byModel')}>
        <thead>
          <tr>
            <th>{say('model')}</th>
            <th data-align="end" data-wide>
              {say('attempts')}
            </th>
            <th data-align="end">{say('failed')}</th>
            <th data-align="end" data-wide>
              {say('median')}
            </th>
            <th data-align="end" data-wide>
              {say('p95')}
            </th>
            <th data-wide>{say('faults')}</th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, attempts, refused, unknown, median_ms, p95_ms, faults }) => (
            <tr key={model}>
              <td>
                <Link to={`?model=${encodeURIComponent(model)}`}>{model}</Link>
              </td>
              <td data-align="end" data-wide className="number">
                {attempts}
              </td>
              <td data-align="end" className="number">
                {refused + unknown}
              </td>
              <td data-align="end" data-wide className="number">
                {median_ms === null ? '–' : millisecondsText(median_ms)}
              </td>
              <td data-align="end" data-wide className="number">
                {p95_ms === null ? '–' : millisecondsText(p95_ms)}
              </td>
              <td data-wide>
                {Object.entries(faults)
                  .toSorted(([, one], [, other]) => other - one)
                  .map(([fault, count]) => `${fault} ${count}`)
                  .join(', ') || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
