import { type CountedSystem, type Counters, readCounters } from '../../machine/counters';
import { type Cost, costFigure, costOf, perSecondBetween, showCost } from '../../measure/cost';
import { type Figure, figure, type Goal } from '../../measure/figure';

/** A path whose unit is measured, and the transactions that it may take. */
export interface Path {
  name: string;
  maxTransactions: number;
}

/** Reads counters between the works of one system, each reading being the end of one and the beginning of the next. */
export class CostMeter {
  readonly figures: Figure[] = [];
  readonly #system: CountedSystem;
  readonly #idle: Cost;
  #last: Counters;

  private constructor(system: CountedSystem, { idle, last }: { idle: Cost; last: Counters }) {
    this.#system = system;
    this.#idle = idle;
    this.#last = last;
  }

  /** The system stands still for two readings: what it spends meanwhile is no unit's. */
  static async open(system: CountedSystem, name: string): Promise<CostMeter> {
    const before = await readCounters(system);
    const after = await readCounters(system);
    const idle = perSecondBetween(before, after);
    const meter = new CostMeter(system, { idle, last: after });
    meter.figures.push(figure(STANDING(name), { values: [idle.transactions], slices: [], limit: showCost(idle) }));
    return meter;
  }

  /** @param work resolves with how many units it did. */
  async measure({ name, maxTransactions }: Path, work: () => Promise<number>): Promise<Cost> {
    const before = this.#last;
    const units = await work();
    this.#last = await readCounters(this.#system);
    const cost = costOf({ before, after: this.#last, idle: this.#idle }, units);
    this.figures.push(costFigure(goalOf(`transactions of ${name}`, maxTransactions), cost));
    return cost;
  }
}

const goalOf = (measure: string, atMost: number): Goal => ({ id: 'P20', measure, threshold: { atMost }, unit: 'x' });

/** Looks and heartbeats. */
const MAX_STANDING = 60;
const STANDING = (name: string) => goalOf(`transactions a second of ${name}, with nothing to do`, MAX_STANDING);
