import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_TABLE, FAULT_TABLE, REASONS, TASK_FAILURE_MESSAGES } from './index';

const page = readFileSync(join(__dirname, '../../../docs/api.md'), 'utf8');

/** Cells of the rows of the first table below a heading, without its head. */
function tableBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`\n${heading}\n`);
  const [table = ''] = /^\|(?:.|\n\|)+/m.exec(section) ?? [];
  const [, , ...rows] = table.split('\n');
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

it('docs/api.md shows every reason with its meaning and what to do, in the order of the table', () => {
  const reasons = Object.entries(REASONS).map(([reason, { meaning, advice }]) => [`\`${reason}\``, meaning, advice]);
  expect(tableBelow('### Reasons')).toEqual(reasons);
});

it('docs/api.md shows the type and the reasons of every status', () => {
  const shown = tableBelow('### Errors').map(([status, type, _when, reasons]) => [status, type, reasons]);
  const errors = Object.values(ERROR_TABLE).map(({ httpStatus, type, reasons }) => [
    String(httpStatus),
    `\`${type}\``,
    reasons.map((reason) => `\`${reason}\``).join(', '),
  ]);
  expect(shown).toEqual(errors);
});

it('every reason can be met, in an answer or in a failed task', () => {
  const inAnswers = Object.values(ERROR_TABLE).flatMap(({ reasons }) => [...reasons]);
  const met = new Set<string>([...inAnswers, ...Object.keys(TASK_FAILURE_MESSAGES)]);
  expect(Object.keys(REASONS).filter((reason) => !met.has(reason))).toEqual([]);
});

it('every fault of an upstream ends a task for a reason that tasks have', () => {
  for (const { reason } of Object.values(FAULT_TABLE)) expect(TASK_FAILURE_MESSAGES).toHaveProperty(reason);
});
