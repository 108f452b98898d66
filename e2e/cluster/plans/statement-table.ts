import { pagesRead, placesOf, rowsRead, scannedWhole } from '@mediagate/testkit/plans';
import type { Execution } from './explained-postgres';

/** A statement, and what it read at most in one execution. */
export interface StatementReads {
  text: string;
  functionName: string | undefined;
  executions: number;
  worstMs: number;
  rows: number;
  pages: number;
  places: string[];
  wholeTables: Set<string>;
}

/** One entry for each statement; lists of parameters that differ in length alone are one. */
export async function statementsOf(executions: AsyncIterable<Execution>): Promise<StatementReads[]> {
  const found = new Map<string, StatementReads>();
  for await (const execution of executions) {
    const text = sameOfLists(execution.text);
    const key = `${execution.functionName ?? ''} ${text}`;
    const rows = rowsRead(execution.plan);
    const known = found.get(key) ?? {
      text,
      functionName: execution.functionName,
      executions: 0,
      worstMs: 0,
      rows: -1,
      pages: 0,
      places: [],
      wholeTables: new Set<string>(),
    };
    known.executions += 1;
    known.worstMs = Math.max(known.worstMs, execution.durationMs);
    known.pages = Math.max(known.pages, pagesRead(execution.plan));
    for (const table of scannedWhole(execution.plan)) known.wholeTables.add(table);
    if (rows > known.rows) Object.assign(known, { rows, places: placesOf(execution.plan) });
    found.set(key, known);
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows);
}

function sameOfLists(text: string): string {
  return text
    .replaceAll(/\((?:\$\d+,\s*)+\$\d+\)/g, '($…)')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const SHOWN_CHARACTERS = 140;

export function toTable(statements: readonly StatementReads[]): string {
  const rows = statements.map(({ text, functionName, places, worstMs, rows: read, pages, executions }) => {
    const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text;
    const place = functionName === undefined ? '' : `${functionName}: `;
    const cells = [
      `${place}\`${shown.replaceAll('|', '\\|').replaceAll('`', '')}\``,
      places.join(', '),
      worstMs.toFixed(1),
      read,
      pages,
      executions,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| Statement | Reads by | ms at most | rows at most | pages at most | times |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
