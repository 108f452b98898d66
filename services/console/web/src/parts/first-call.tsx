import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.ts';
import { CodeBlock } from './code-block.tsx';

/** The call that fills an empty account. */
export function FirstCall() {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const code = [
    `curl ${session.gateway_url}/v1/images/generations \\`,
    '  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\',
    `  -d '{"model": "imagegen-2.5-flare", "prompt": "a lighthouse at dusk"}'`,
  ].join('\n');
  return <CodeBlock code={code} />;
}
