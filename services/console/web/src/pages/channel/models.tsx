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
      <Table
        caption={say('byModel')}
        rows={models}
        rowId={({ model }) => model}
        columns={[
          {
            header: say('model'),
            cell: ({ model }) => <Link to={`?model=${encodeURIComponent(model)}`}>{model}</Link>,
          },
          { header: say('attempts'), align: 'end', wideOnly: true, cell: ({ attempts }) => attempts },
          { header: say('failed'), align: 'end', cell: ({ refused, unknown }) => refused + unknown },
          { header: say('median'), align: 'end', wideOnly: true, cell: ({ median_ms: ms }) => timeText(ms) },
          { header: say('p95'), align: 'end', wideOnly: true, cell: ({ p95_ms: ms }) => timeText(ms) },
          { header: say('faults'), wideOnly: true, cell: ({ faults }) => faultsText(faults) },
        ]}
      />
    </Panel>
  );
}

function timeText(ms: number | null): string {
  return ms === null ? '–' : millisecondsText(ms);
}

/** The most frequent fault first. */
function faultsText(faults: Record<string, number>): string {
  const sorted = Object.entries(faults).toSorted(([, one], [, other]) => other - one);
  return sorted.map(([fault, count]) => `${fault} ${count}`).join(', ') || '–';
}
