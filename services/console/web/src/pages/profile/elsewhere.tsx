import { useQuery } from '@tanstack/react-query';
import { methodsQuery } from '../../api/session.ts';
import { Panel } from '../../parts/panel.tsx';
import type { OwnUser } from './queries.ts';
import { say } from './texts.ts';

/** The provider that vouches for the user, if there is one. */
export function Elsewhere({ own: { issuer, email } }: { own: OwnUser }) {
  const { data: methods } = useQuery(methodsQuery);
  if (issuer === null && !methods?.oidc) return null;
  return (
    <Panel title={say('elsewhere')}>
      {issuer === null ? (
        <p className="quiet">{say('elsewhere.none', { email })}</p>
      ) : (
        <p>
          {say('elsewhere.linked')} <code>{issuer}</code>
        </p>
      )}
    </Panel>
  );
}
