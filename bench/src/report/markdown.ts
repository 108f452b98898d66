import { type Figure, type Threshold, verdictOf } from '../measure/figure';
import type { Cpu } from '../measure/slice';
import type { ComparisonResult } from './results';

const HEAD = ['Goal', 'What, and against what', 'Wanted', 'Median', 'Best', 'Verdict', 'CPU', 'CPU of the other'];

/** The table of docs/benchmarks.md: one row a figure. CPU is in µs of one unit: service + PostgreSQL + Redis. */
export function formatMarkdown(results: readonly ComparisonResult[]): string {
  const rows = results.flatMap(({ figures, faults }) => figures.map((figure) => cells(figure, faults.length > 0)));
  return [HEAD, HEAD.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeBars).join(' | ')} |`).join('\n');
}

function cells(figure: Figure, isVoid: boolean): string[] {
  const { id, measure, against, threshold, unit, median, best, product, reference, limit } = figure;
  const what = against === undefined ? measure : `${measure}, against ${against}`;
  // Ratios of another day, or beside another neighbour, differ from these two.
  const rates = product === undefined || reference === undefined ? '' : ` (${show(product)} : ${show(reference)})`;
  const suffix = ` ${unit}`;
  return [
    id,
    limit === 'unknown' ? what : `${what}; ${limit}`,
    wanted(threshold, suffix),
    isVoid ? 'void' : `${show(median)}${suffix}${rates}`,
    isVoid ? 'void' : `${show(best)}${suffix}`,
    isVoid ? 'void' : verdictOf(figure),
    showCpu(figure.cpu),
    showCpu(figure.referenceCpu),
  ];
}

function wanted(threshold: Threshold, suffix: string): string {
  return 'atLeast' in threshold ? `≥ ${threshold.atLeast}${suffix}` : `≤ ${threshold.atMost}${suffix}`;
}

function showCpu(cpu: Cpu | undefined): string {
  return cpu ? [cpu.service, cpu.postgres, cpu.redis].map((micros) => Math.round(micros)).join(' + ') : '';
}

/** Three figures are more than such a machine can promise. */
function show(value: number): string {
  return value >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** A bar would begin another cell. */
function escapeBars(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
