import type { DemoUser } from './demo-users';
import type { FirstRequest } from './first-request';
import type { System } from './start-system';

const NAME_WIDTH = 11;

/** Addresses, and a first request that works when it is pasted; no line is wider than 100 characters, but for an example of a model. */
export function whereThingsAre(
  { baseUrl, account, console, tryIt }: System,
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
    ...(tryIt === undefined ? [] : ['', 'Try it:', `KEY=${account.apiKey}`, ...curlOf(tryIt, baseUrl)]),
  ];
}

function curlOf({ path, body }: FirstRequest, baseUrl: string): string[] {
  return [
    `curl ${baseUrl}${path} -H "Authorization: Bearer $KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ];
}

/** Behind `#`, which browsers send to nobody. */
function signInAt({ url }: System['console'], { oneTimeToken }: DemoUser): string {
  return `${url}/one-time#${oneTimeToken}`;
}
