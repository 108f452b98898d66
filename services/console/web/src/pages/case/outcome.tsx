import { ExternalLink } from 'lucide-react';
import { FactList } from '../../parts/fact-list.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

/** What the caller was told: the error, or links to what was made. */
export function Outcome({ task: { error, result, status } }: { task: Case }) {
  const links = [...new Set(linksIn(result))];
  if (error === undefined && links.length === 0 && status !== 'completed') return null;
  return (
    <Panel title={say('outcome')}>
      {error !== undefined && (
        <FactList
          facts={[
            [say('outcome.error'), error.message],
            [say('outcome.reason'), <code key="reason">{error.reason}</code>],
          ]}
        />
      )}
      {links.map((link, index) => (
        <p key={link} className="row">
          <a href={link} target="_blank" rel="noreferrer">
            {say('outcome.open', { number: index + 1 })} <ExternalLink size={12} aria-hidden />
          </a>
        </p>
      ))}
      {error === undefined && links.length === 0 && <p className="quiet">{say('outcome.gone')}</p>}
    </Panel>
  );
}

/** Every address in a result, whatever its family names the field. */
function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return URL.parse(value)?.protocol.startsWith('http') ? [value] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(linksIn) : [];
}
