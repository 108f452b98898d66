import { type Cpu, perSecond, type Slice } from './slice';
import { median } from './statistics';

export type Threshold = { atLeast: number } | { atMost: number };

/** A goal, as it stands in the table. */
export interface Goal {
  /** `P1` */
  id: string;
  /** The quantity that is measured, in words. */
  measure: string;
  /** The program it is set against, where there is one. */
  against?: string;
  threshold: Threshold;
  /** `x` is a ratio. */
  unit: 'x' | 'ms' | 'µs' | 'MiB' | 'rows' | 'calls';
}

/** A goal and what was found. */
export interface Figure extends Goal {
  /** One value a round. */
  values: number[];
  median: number;
  /** The value of the quietest round. */
  best: number;
  /** CPU-µs of one request, task or delivery, of the product: the median of the rounds. */
  cpu?: Cpu;
  /** The same of the program it is set against. */
  referenceCpu?: Cpu;
  /** Rates a second (or milliseconds, where latency is compared) behind a ratio: medians. */
  product?: number;
  reference?: number;
  /** The resource that keeps the figure from being better, or how the figure came about. */
  limit: string;
}

export type Verdict = 'reached' | 'short' | 'far';

/** A run on a busy machine may fall a little short; below half of the goal something is broken. */
const FLOOR = 0.5;

export function verdictOf({ threshold, median: value }: Pick<Figure, 'threshold' | 'median'>): Verdict {
  const reached = 'atLeast' in threshold ? value / threshold.atLeast : threshold.atMost / value;
  if (reached >= 1) return 'reached';
  return reached >= FLOOR ? 'short' : 'far';
}

export interface Measured {
  values: number[];
  /** The product's slices: for CPU and what limits it. */
  slices: readonly Slice[];
  referenceSlices?: readonly Slice[];
  product?: number;
  reference?: number;
  /** Shown in place of the CPU's figure. */
  limit?: string;
}

export function figure(goal: Goal, measured: Measured): Figure {
  const { values, slices, referenceSlices = [], limit = busiest(slices), ...rates } = measured;
  const cpu = cpuPerUnit(slices);
  const referenceCpu = cpuPerUnit(referenceSlices);
  const best = 'atLeast' in goal.threshold ? Math.max(...values) : Math.min(...values);
  const spent = {
    ...(cpu ? { cpu } : {}),
    ...(referenceCpu ? { referenceCpu } : {}),
  };
  return { ...goal, values, median: median(values), best, ...spent, ...rates, limit };
}

/** The rate of the product by that of the reference, round by round. */
export function rateRatio(goal: Goal, product: readonly Slice[], reference: readonly Slice[]): Figure {
  return figure(goal, {
    values: product.map((slice, round) => perSecond(slice) / perSecond(reference[round] as Slice)),
    slices: product,
    referenceSlices: reference,
    product: median(product.map(perSecond)),
    reference: median(reference.map(perSecond)),
  });
}

/** The median latency of the product alone, round by round. */
export function latency(goal: Goal, product: readonly Slice[]): Figure {
  return figure(goal, { values: product.map(({ p50Ms = Number.NaN }) => p50Ms), slices: product });
}

export function totalCpu({ cpu, count }: Slice): number {
  return cpu === undefined ? Number.NaN : (cpu.service + cpu.postgres + cpu.redis) / count;
}

const COMPONENTS = ['service', 'postgres', 'redis'] as const;

function cpuPerUnit(slices: readonly Slice[]): Cpu | undefined {
  if (slices.length === 0 || slices.some(({ cpu }) => cpu === undefined)) return undefined;
  const of = (component: keyof Cpu) => median(slices.map(({ cpu, count }) => (cpu?.[component] ?? 0) / count));
  return { service: of('service'), postgres: of('postgres'), redis: of('redis') };
}

/** Shares of one core, the largest first: a process near 100 % is what limits, for each is one thread. */
function busiest(slices: readonly Slice[]): string {
  const shares = COMPONENTS.map((component) => ({
    component,
    percent: median(slices.map(({ cpu, seconds }) => ((cpu?.[component] ?? Number.NaN) / 1e6 / seconds) * 100)),
  }));
  if (shares.some(({ percent }) => Number.isNaN(percent))) return 'unknown';
  shares.sort((left, right) => right.percent - left.percent);
  return shares.map(({ component, percent }) => `${component} ${Math.round(percent)} %`).join(', ');
}
