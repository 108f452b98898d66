import { type Figure, verdictOf } from '../measure/figure';
import type { Cpu } from '../measure/slice';
import type { ComparisonResult } from './results';

const COLUMNS = [
  'goal',
  'what',
  'against',
  'wanted',
  'median',
  'best',
  'verdict',
  'CPU µs',
  'of the other',
  'log, B',
  'busy, of one core',
];

/** The table on the screen: one line a goal. CPU is of one request: service, PostgreSQL, Redis. */
export function formatTable(results: readonly ComparisonResult[]): string {
  const rows = results.flatMap(({ figures, faults }) => figures.map((figure) => row(figure, faults.length > 0)));
  const lines = [[...COLUMNS], ...rows];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const [head = '', ...body] = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [head, widths.map((width) => '-'.repeat(width)).join('  '), ...body].join('\n');
}

function row(figure: Figure, isVoid: boolean): string[] {
  const { id, measure, against = '', threshold, unit, cpu, referenceCpu, limit } = figure;
  const wanted = 'atLeast' in threshold ? `>= ${threshold.atLeast}` : `<= ${threshold.atMost}`;
  return [
    id,
    `${measure}${rates(figure)}`,
    against,
    `${wanted} ${unit}`,
    show(figure.median),
    show(figure.best),
    isVoid ? 'VOID' : verdictOf(figure),
    showCpu(cpu),
    showCpu(referenceCpu),
    showWal(figure),
    limit,
  ];
}

export function showCpu(cpu: Cpu | undefined): string {
  return cpu ? [cpu.service, cpu.postgres, cpu.redis].map((micros) => Math.round(micros)).join(' + ') : '';
}

/** Bytes of write-ahead log of one unit; the reference's, too, where it writes to the same PostgreSQL. */
export function showWal({ walBytes, referenceWalBytes }: Figure): string {
  const each = [walBytes, referenceWalBytes].filter((bytes) => bytes !== undefined);
  return each.map((bytes) => Math.round(bytes)).join(' : ');
}

/** The two figures behind the ratio: on another day, or beside another neighbour, they differ. */
function rates({ product, reference }: Figure): string {
  return product === undefined || reference === undefined ? '' : ` (${show(product)} : ${show(reference)})`;
}

/** Three figures are more than such a machine can promise. */
export function show(value: number): string {
  return value >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
