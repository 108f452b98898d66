import { setTimeout as delay } from 'node:timers/promises';
import { type Counted, cpuMicros } from '../machine/cpu';

/** CPU time by who spent it, in microseconds. `service` is what is compared: an API, a worker. */
export interface Cpu {
  service: number;
  postgres: number;
  redis: number;
}

/** One contender's share of a round. */
export interface Slice {
  /** Requests answered, tasks ended, jobs done: what the comparison counts. */
  count: number;
  seconds: number;
  p50Ms?: number;
  p99Ms?: number;
  /** Undefined where there is no /proc. */
  cpu: Cpu | undefined;
}

export interface Metered {
  service: readonly Counted[];
  postgres: Counted;
  redis: Counted;
}

/** A slice lasts this much longer: work that a server does after its last answer (enqueueing tasks, writing a log) counts, too. */
const AFTERWORK_MS = 150;

/** Does the work and charges it with the CPU time that the three have spent meanwhile. */
export async function metered(meters: Metered, work: () => Promise<Omit<Slice, 'cpu'>>): Promise<Slice> {
  const before = readCpu(meters);
  const done = await work();
  await delay(AFTERWORK_MS);
  const after = readCpu(meters);
  if (before === undefined || after === undefined) return { ...done, cpu: undefined };
  const spent = (component: keyof Cpu) => after[component] - before[component];
  return { ...done, cpu: { service: spent('service'), postgres: spent('postgres'), redis: spent('redis') } };
}

function readCpu({ service, postgres, redis }: Metered): Cpu | undefined {
  const readings = [service, [postgres], [redis]].map(cpuMicros);
  if (readings.includes(undefined)) return undefined;
  const [first = 0, second = 0, third = 0] = readings as number[];
  return { service: first, postgres: second, redis: third };
}

export function perSecond({ count, seconds }: Slice): number {
  return count / seconds;
}
