import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listOperations, type ServedOperation } from '@mediagate/api-contract';
import type { Command } from 'commander';
import { createProgram } from '../src/program';
import { openSession } from '../src/session';
import { NO_SURROUNDINGS } from './no-surroundings';

const PAGE = join(__dirname, '../../../docs/operators.md');
const ROW = /^\| `([A-Z]+ \/admin\/v1[^`]*)` \| (?!`(?:read|support|billing|admin)` \|$)(.+) \|$/gm;

const program = createProgram(openSession(NO_SURROUNDINGS), NO_SURROUNDINGS);

/** The text of each route's cell on the page. */
const cells = new Map(
  [...readFileSync(PAGE, 'utf8').matchAll(ROW)]
    .filter(([row]) => (row.match(/ \| /g) ?? []).length === 1)
    .map(([, route = '', cell = '']) => [route, cell]),
);
const operations = listOperations([], { legacyPrefix: 'legacy' }).filter(({ auth }) => auth === 'operator');
const routeOf = ({ method, path }: ServedOperation) => `${method.toUpperCase()} ${path}`;

/** Names of fields that options have under another name; null: no option, for the reason beside it. */
const OPTION_OF: Readonly<Record<string, string | null>> = {
  account_id: 'account',
  cursor: 'before',
  created_after: 'after',
  effective_at: 'from',
  mode: 'test',
  task_id: 'task',
  // The command itself says which.
  resolution: null,
  // Programs read what it prints.
  excel: null,
};
const OPTION_OF_ROUTE: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'GET /admin/v1/accounts': { query: 'search', key_id: 'key', cursor: null },
  'GET /admin/v1/attempts': { resolved: 'all' },
  'POST /admin/v1/deliveries/redeliver': { task_ids: 'task' },
  // A command has no pages where it lists as many as are asked for, or all.
  'GET /admin/v1/keys': { limit: null, cursor: null },
  'GET /admin/v1/deliveries': { cursor: null },
  // It comes by the standard input: arguments stand in the process list.
  'POST /admin/v1/secrets': { value: null },
  // It asks nobody else, so that there is nothing to give a reason for.
  'POST /admin/v1/audits': { reason: null },
};

function commandsOf(operation: ServedOperation): Command[] {
  const named = [...(cells.get(routeOf(operation)) ?? '').matchAll(/`([a-z -]+)`/g)];
  return named.map(([, words = '']) => {
    const found = words
      .split(' ')
      .reduce<Command | undefined>((at, word) => at?.commands.find((each) => each.name() === word), program);
    if (!found) throw new Error(`there is no command ${words}`);
    return found;
  });
}

/** Names of the fields in its query and its body. */
function fieldsOf({ parameters = [], body }: ServedOperation): string[] {
  const content = body && 'content' in body ? body.content['application/json'] : undefined;
  const properties = (content?.schema['properties'] ?? {}) as object;
  const queries = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return [...queries, ...Object.keys(properties)].map((name) => name.replace(/\..*$/, ''));
}

function wordsOf(commands: readonly Command[]): Set<string> {
  return new Set(
    commands.flatMap(({ options, registeredArguments }) => [
      ...options.map(({ long = '' }) => long.replace(/^--(no-)?/, '')),
      ...registeredArguments.map((argument) => argument.name()),
    ]),
  );
}

it('names a command, or a reason for having none, beside every route of operators, and no other route', () => {
  expect([...cells.keys()]).toEqual(operations.map(routeOf));
});

describe.each(operations.map((operation) => [routeOf(operation), operation] as const))('%s', (route, operation) => {
  it('has a command that takes whatever the route takes, or says why there is none', () => {
    const commands = commandsOf(operation);
    if (commands.length === 0) return expect(cells.get(route)).toMatch(/^none: .+/);
    const words = wordsOf(commands);
    const missing = fieldsOf(operation).filter((field) => {
      const option = { ...OPTION_OF, ...OPTION_OF_ROUTE[route] }[field];
      return option !== null && !words.has(option ?? field.replaceAll('_', '-'));
    });
    expect(missing).toEqual([]);
  });
});
