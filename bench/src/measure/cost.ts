import type { Counters } from '../machine/counters';
import { type Figure, figure, type Goal } from './figure';

/** The cost of one unit of something: the difference of two readings, less what the system does while nobody asks it for anything. */
export type Cost = Omit<Counters, 'atMs'>;

/** A second of a system that nobody asks for anything. */
export function perSecondBetween(before: Counters, after: Counters): Cost {
  return divided(difference(before, after), (after.atMs - before.atMs) / 1000);
}

export function costOf(readings: { before: Counters; after: Counters; idle: Cost }, units: number): Cost {
  const { before, after, idle } = readings;
  const seconds = (after.atMs - before.atMs) / 1000;
  const spent = difference(before, after);
  return divided(
    combined(spent, idle, (all, ofSecond) => all - ofSecond * seconds),
    units,
  );
}

/** Transactions are what is judged: counts are sound on a busy machine, times are not. */
export function costFigure(goal: Goal, cost: Cost): Figure {
  return figure(goal, { values: [cost.transactions], slices: [], limit: showCost(cost) });
}

/** `api 160, postgres 70, redis 30 µs; 0.02 transactions; 1100 B of WAL; 3.1 commands` */
export function showCost({ cpu, transactions, walBytes, redisCommands }: Cost): string {
  const spent = Object.entries(cpu).map(([name, micros]) => `${name} ${Math.max(0, Math.round(micros))}`);
  const counts = [`${transactions.toFixed(2)} transactions`, `${walBytes.toFixed(0)} B of WAL`];
  return [`${spent.join(', ')} µs`, ...counts, `${redisCommands.toFixed(1)} Redis commands`].join('; ');
}

function difference(before: Cost, after: Cost): Cost {
  return combined(after, before, (late, early) => late - early);
}

function divided(cost: Cost, by: number): Cost {
  return combined(cost, cost, (value) => value / by);
}

function combined(one: Cost, other: Cost, by: (one: number, other: number) => number): Cost {
  const cpu = Object.entries(one.cpu).map(([name, micros]) => [name, by(micros, other.cpu[name] ?? 0)] as const);
  return {
    cpu: Object.fromEntries(cpu),
    transactions: by(one.transactions, other.transactions),
    walBytes: by(one.walBytes, other.walBytes),
    redisCommands: by(one.redisCommands, other.redisCommands),
  };
}
