import type { Figure, Threshold } from '../measure/figure';
import type { ComparisonResult } from './results';
import { show, showCpu, showWal } from './table';

const HEAD = ['Goal', 'What, and against what', 'Wanted', 'Median', 'Best', 'CPU', 'CPU of the other', 'Log'];

/** The table of docs/benchmarks.md: one row a figure. CPU is in µs of one unit, service + PostgreSQL + Redis; the log in bytes of one. */
export function formatMarkdown(results: readonly ComparisonResult[]): string {
  const rows = results.flatMap(({ figures, faults }) => figures.map((figure) => cells(figure, faults.length > 0)));
  return [HEAD, HEAD.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeBars).join(' | ')} |`).join('\n');
}

function cells(figure: Figure, isVoid: boolean): string[] {
  const { id, measure, against, threshold, unit, median, best, product, reference, cpu, referenceCpu, limit } = figure;
  const what = against === undefined ? measure : `${measure}, against ${against}`;
  const rates = product === undefined || reference === undefined ? '' : ` (${show(product)} : ${show(reference)})`;
  const suffix = ` ${unit}`;
  return [
    id,
    // Where nothing was sampled, the limit says what the figure is made of.
    cpu === undefined && limit !== 'unknown' ? `${what}; ${limit}` : what,
    wanted(threshold, suffix),
    isVoid ? 'void' : `${show(median)}${suffix}${rates}`,
    isVoid ? 'void' : `${show(best)}${suffix}`,
    showCpu(cpu),
    showCpu(referenceCpu),
    showWal(figure),
  ];
}

function wanted(threshold: Threshold, suffix: string): string {
  return 'atLeast' in threshold ? `≥ ${threshold.atLeast}${suffix}` : `≤ ${threshold.atMost}${suffix}`;
}

/** A bar would begin another cell. */
function escapeBars(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
