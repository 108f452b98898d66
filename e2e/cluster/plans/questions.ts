import { type ListRows, msOf, type Owner, requestIdOf, taskIdOf } from '@mediagate/testkit/rows';
import {
  type Search,
  searchesOfCallers,
  searchesOfOperators,
  usageReports,
} from '../../../bench/src/product/list-searches';
import { createProgram } from '../../../tools/cli/src/program';
import { openSession } from '../../../tools/cli/src/session';
import { NO_SURROUNDINGS } from '../../../tools/cli/test/no-surroundings';

/** A value for each name that a path, a query or an option has: of the account that has nearly everything. */
function valuesFor(rows: ListRows, hot: Owner): Readonly<Record<string, string>> {
  // One that has all there may be: a callback has ended, a file is stored.
  const some = Math.floor(rows.tasks / 2 / 100) * 100;
  const taskId = taskIdOf(rows, some + 3);
  const day = (n: number) => new Date(msOf(rows, n)).toISOString().slice(0, 10);
  return {
    id: taskId,
    task_id: taskId,
    task: taskId,
    parent_task_id: taskIdOf(rows, 1),
    account_id: hot.accountId,
    account: hot.accountId,
    key_id: hot.keyId,
    key: hot.keyId,
    request_id: requestIdOf(rows, some),
    'request-id': requestIdOf(rows, some),
    'metadata.<name>': 'usual',
    model: 'imagegen-2.5-flare',
    created_after: day(rows.tasks / 2),
    after: day(rows.tasks / 2),
    created_before: day(rows.tasks / 2),
    'created-before': day(rows.tasks / 2),
    from: day(rows.tasks / 3),
    to: day((2 * rows.tasks) / 3),
    month: day(rows.tasks / 2).slice(0, 7),
    timezone: 'Asia/Shanghai',
    query: 'rare',
    search: 'Studio',
    channel_id: 'images-openai',
    channel: 'images-openai',
    subject: hot.accountId,
    actor: 'operator:3',
    action: 'account.update',
    idempotency_key: `idem-${rows.tasks - 99}`,
  };
}

/** The part of an OpenAPI document that is read here. */
export interface Document {
  paths: Record<string, { get?: { parameters?: { in: string; name: string; schema: { enum?: string[] } }[] } }>;
}

/** Each route that reads, plain and with each of its filters alone, and the searches that the benchmark measures. */
export function questionsOf(documents: Record<'caller' | 'operator', Document>, rows: ListRows, hot: Owner): Search[] {
  const values = valuesFor(rows, hot);
  return [
    ...(['caller', 'operator'] as const).flatMap((by) =>
      questionsIn(documents[by], values).map((path) => ({ by, path })),
    ),
    ...searchesOfCallers(rows),
    ...searchesOfOperators(rows, hot.accountId),
    ...usageReports(rows),
  ];
}

function questionsIn({ paths }: Document, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'unknown');
    const needed = path.endsWith('/invoice') ? [`month=${values['month']}`] : [];
    const filters = (get.parameters ?? []).flatMap(({ in: place, name, schema }) => {
      const value = name === 'id' && path.endsWith('/keys') ? values['key_id'] : values[name];
      const all = schema.enum ?? (value === undefined ? [] : [value]);
      return place === 'query' && !needed.some((each) => each.startsWith(`${name}=`))
        ? all.map((each) => `${name.replace('<name>', 'team')}=${encodeURIComponent(each)}`)
        : [];
    });
    return [withQuery(filled, needed), ...filters.map((filter) => withQuery(filled, [...needed, filter]))];
  });
}

function withQuery(path: string, fields: readonly string[]): string {
  return fields.length === 0 ? path : `${path}?${fields.join('&')}`;
}

/** Commands that only read, by their last word. */
const READING = new Set(['history', 'invoice', 'jobs', 'ledger', 'list', 'margin', 'show', 'targets', 'usage']);

/** Each command that reads, with what it needs, and with each option that a value is known for. */
export function commandsOf(rows: ListRows, hot: Owner): string[][] {
  const values = valuesFor(rows, hot);
  const program = createProgram(openSession(NO_SURROUNDINGS), NO_SURROUNDINGS);
  return leavesOf(program, []).flatMap(({ words, command }) => {
    if (!READING.has(command.name())) return [];
    const family = words[0] ?? '';
    const given = command.registeredArguments
      .filter(({ required }) => required)
      .map((argument) => values[family] ?? values[argument.name()] ?? 'unknown');
    const options = command.options.map((option) => ({ option, value: values[option.long?.slice(2) ?? ''] }));
    const needed = options
      .filter(({ option }) => option.mandatory)
      .flatMap(({ option, value }) => [`${option.long}`, `${value}`]);
    const others = options.filter(({ option, value }) => !option.mandatory && value !== undefined);
    return [[], ...others.map(({ option, value }) => [`${option.long}`, `${value}`])].map((more) => [
      ...words,
      ...given,
      ...needed,
      ...more,
    ]);
  });
}

type Command = ReturnType<typeof createProgram>;

function leavesOf(
  command: Command,
  words: string[],
): { words: string[]; command: Command['commands'][number] | Command }[] {
  if (command.commands.length === 0) return [{ words, command }];
  return command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]));
}
