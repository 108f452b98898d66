import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.ts';
import { say } from '../frame/texts.ts';
import { CHAT_PATH, chatInPython, chatInTypeScript } from './chat-as-code.ts';
import { CodeBlock } from './code-block.tsx';
import { useStored } from './use-stored.ts';

const WRITERS = { curl: asCurl, Python: asPython, TypeScript: asTypeScript };
const CHAT_WRITERS = { ...WRITERS, Python: chatInPython, TypeScript: chatInTypeScript };
type Language = keyof typeof WRITERS;

interface Call {
  baseUrl: string;
  path: string;
  body: Readonly<Record<string, unknown>>;
}

/** A submission in the reader's language; the key comes from the environment, so that none is copied along. */
export function CallAsCode({ path, body }: Omit<Call, 'baseUrl'>) {
  const { data: session } = useQuery(sessionQuery);
  const [language, setLanguage] = useStored<Language>('code-language', 'curl');
  const write = (path === CHAT_PATH ? CHAT_WRITERS : WRITERS)[language] ?? asCurl;
  return (
    <div className="stack">
      <SegmentedControl
        size="xs"
        aria-label={say('code.language')}
        data={Object.keys(WRITERS)}
        value={language}
        onChange={(value) => setLanguage(value as Language)}
      />
      <CodeBlock code={write({ baseUrl: session?.gateway_url ?? '', path, body })} />
    </div>
  );
}

function asCurl({ baseUrl, path, body }: Call): string {
  return [
    `curl ${baseUrl}${path} \\`,
    '  -H "Authorization: Bearer $MEDIAGATE_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}

function asPython({ baseUrl, path, body }: Call): string {
  return [
    'import json, os, urllib.request',
    '',
    'body = json.loads(r"""',
    JSON.stringify(body, null, 2).replaceAll('"""', '\\u0022\\u0022\\u0022'),
    '""")',
    'request = urllib.request.Request(',
    `    "${baseUrl}${path}",`,
    '    data=json.dumps(body).encode(),',
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["MEDIAGATE_KEY"],',
    '        "Content-Type": "application/json",',
    '    },',
    ')',
    'print(json.load(urllib.request.urlopen(request)))',
  ].join('\n');
}

function asTypeScript({ baseUrl, path, body }: Call): string {
  return [
    "import { createClient } from '@mediagate/client';",
    '',
    'const client = createClient({',
    `  baseUrl: '${baseUrl}',`,
    "  apiKey: process.env.MEDIAGATE_KEY ?? '',",
    '});',
    `const { taskId } = await client.submit('${path}', ${JSON.stringify(body, null, 2)});`,
    'const task = await client.waitFor(taskId);',
    'console.log(task.status, task.result);',
  ].join('\n');
}
