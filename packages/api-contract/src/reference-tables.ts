import { type ReasonRow, reasonTable } from '@mediagate/contracts';
import { LANGUAGES } from '@mediagate/languages';
import type { Bucket } from './operation';
import type { ServedOperation } from './operation-table';
import { ERROR_MEANINGS, reasonsOf, typesOf } from './schemas/error-bodies';

const LIMITS: Readonly<Record<Bucket, string>> = { submit: 'creates', query: 'reads' };
const ENGLISH_NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** Tables of the written reference, in Markdown, by the name between whose marks they stand. */
export function referenceTables(operations: readonly ServedOperation[]): Record<string, string> {
  return {
    operations: table(['Method and path', '', 'Family', 'Scope', 'Rate limit'], operations.flatMap(operationRow)),
    operators: table(['Method and path', '', 'Role'], operations.flatMap(operatorRow)),
    errors: table(['HTTP', '`type`', 'When', '`reason`'], Object.keys(ERROR_MEANINGS).map(Number).map(errorRow)),
    reasons: table(['`reason`', 'HTTP', 'Try again?', 'Charged?', 'Means', 'What to do'], reasonTable().map(reasonRow)),
    languages: table(['Code', 'Language'], LANGUAGES.map(languageRow)),
  };
}

/**
 * The page with its tables as they are now: each between `<!-- table: name -->` and `<!-- end -->`.
 *
 * @throws Error for a name that there is not.
 */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return page.replace(
    /(<!-- table: (\w+) -->\n).*?(\n<!-- end -->)/gs,
    (_all, begin: string, name: string, end: string) => {
      const rows = tables[name];
      if (rows === undefined) throw new Error(`There is no table called ${name}.`);
      return `${begin}${rows}${end}`;
    },
  );
}

function operationRow(operation: ServedOperation): string[][] {
  if (operation.auth === 'operator') return [];
  const { summary } = operation;
  const place = placeOf(operation);
  if (operation.auth === 'none') return [[place, summary, '', '', 'no key']];
  const { family = '', scope, manages, bucket } = operation;
  return [[place, summary, family, manages ? `${code(scope)}, ${code('manage')}` : code(scope), LIMITS[bucket]]];
}

function operatorRow(operation: ServedOperation): string[][] {
  return operation.auth === 'operator' ? [[placeOf(operation), operation.summary, code(operation.role)]] : [];
}

function placeOf({ method, path }: ServedOperation): string {
  return code(`${method.toUpperCase()} ${path}`);
}

function reasonRow({ reason, httpStatuses, ofTasks, retry, charged, meaning, advice }: ReasonRow): string[] {
  const places = [...httpStatuses.map(String), ...(ofTasks ? ['task'] : [])];
  return [code(reason), places.join(', '), retry, charged ? 'yes' : 'no', meaning, advice];
}

function errorRow(status: number): string[] {
  return [
    String(status),
    code(typesOf(status).join(', ')),
    ERROR_MEANINGS[status] ?? '',
    reasonsOf(status).map(code).join(', '),
  ];
}

function languageRow(language: string): string[] {
  return [code(language), ENGLISH_NAMES.of(language) ?? ''];
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const rule = `|${'---|'.repeat(head.length)}`;
  const [first = '', ...others] = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |'));
  return [first, rule, ...others].join('\n');
}

function code(words: string): string {
  return `\`${words}\``;
}
