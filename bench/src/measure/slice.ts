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
  /** Bytes of write-ahead log that PostgreSQL has written meanwhile. */
  walBytes?: number;
}

export interface Metered {
  service: readonly Counted[];
  postgres: Counted;
  redis: Counted;
  /** Bytes written so far. */
  readWalBytes?(): Promise<number>;
}

/** A slice lasts this much longer: work that a server does after its last answer (enqueueing tasks, writing a log) counts, too. */
const AFTERWORK_MS = 150;

/** Does the work and charges it with the CPU time that the three have spent meanwhile, and with the log that was written. */
export async function metered(meters: Metered, work: () => Promise<Omit<Slice, 'cpu'>>): Promise<Slice> {
  const walBefore = await meters.readWalBytes?.();
  const slice = await timed(meters, work);
  const walAfter = await meters.readWalBytes?.();
  if (walBefore === undefined || walAfter === undefined) return slice;
  return { ...slice, walBytes: walAfter - walBefore };
}

async function timed(meters: Metered, work: () => Promise<Omit<Slice, 'cpu'>>): Promise<Slice> {
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
