import type { DemoUser } from './demo-users';
import type { System } from './start-system';

const NAME_WIDTH = 11;

/** Addresses, and a first request that works when it is pasted; no line is wider than 100 characters. */
export function whereThingsAre(
  { baseUrl, account, console }: System,
  { logs, runFile }: { logs: string; runFile: string },
): string[] {
  const entry = (name: string, text: string) => `${name.padEnd(NAME_WIDTH)}${text}`;
  return [
    entry('API', baseUrl),
    entry('Console', console.url),
    entry('', `operator  ${signInAt(console, console.operator)}`),
    entry('', `customer  ${signInAt(console, console.customer)}`),
    entry('', 'Each signs in once, within an hour; after that by'),
    entry('', `${console.operator.email} or ${console.customer.email},`),
    entry('', `password ${console.password}`),
    entry('Reference', 'docs/api.md'),
    entry('Addresses', `${runFile}, with keys and passwords`),
    entry('Test key', `testApiKey in ${runFile}: free tasks, docs/test-keys.md`),
    entry('Operators', `adminToken in ${runFile}: /admin/v1, docs/operators.md`),
    entry('Logs', logs),
    entry('Stop', 'Ctrl-C'),
    '',
    'Try it:',
    `KEY=${account.apiKey}`,
    `curl ${baseUrl}/v1/images/generations -H "Authorization: Bearer $KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"model":"imagegen-2.5-flare","prompt":"a lighthouse at dusk"}'`,
  ];
}

/** Behind `#`, which browsers send to nobody. */
function signInAt({ url }: System['console'], { oneTimeToken }: DemoUser): string {
  return `${url}/one-time#${oneTimeToken}`;
}
