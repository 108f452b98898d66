import { type CountedSystem, type Counters, readCounters } from '../../machine/counters';
import { readWalPosition, readWalShares, type WalShare } from '../../machine/wal-shares';
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
  readonly #say: (line: string) => void;
  #last: Counters;

  private constructor(
    system: CountedSystem,
    say: (line: string) => void,
    { idle, last }: { idle: Cost; last: Counters },
  ) {
    this.#system = system;
    this.#say = say;
    this.#idle = idle;
    this.#last = last;
  }

  /**
   * The system stands still for two readings: what it spends meanwhile is no unit's.
   *
   * @param say is given a line for each work: which tables and indexes its write-ahead log is of.
   */
  static async open(system: CountedSystem, name: string, say: (line: string) => void): Promise<CostMeter> {
    // Makes the extension that tells shares of the log, whose rows are no unit's either.
    await readWalShares(system.databaseUrl, await readWalPosition(system.databaseUrl));
    const before = await readCounters(system);
    const after = await readCounters(system);
    const idle = perSecondBetween(before, after);
    const meter = new CostMeter(system, say, { idle, last: after });
    meter.figures.push(figure(STANDING(name), { values: [idle.transactions], slices: [], limit: showCost(idle) }));
    return meter;
  }

  /** @param work resolves with how many units it did. */
  async measure({ name, maxTransactions }: Path, work: () => Promise<number>): Promise<Cost> {
    const before = this.#last;
    const { databaseUrl } = this.#system;
    const position = await readWalPosition(databaseUrl);
    const units = await work();
    const shares = await readWalShares(databaseUrl, position);
    if (shares !== undefined) this.#say(`bytes of write-ahead log of ${name}: ${showShares(shares, units)}`);
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

/** Shares below this are not shown: looks and statistics, which belong to no unit, are that small. */
const SMALLEST_BYTES = 5;

/** `tasks 800 (of it whole pages 30), tasks_pkey 90` */
function showShares(shares: readonly WalShare[], units: number): string {
  return shares
    .map(({ relation, bytes, pageBytes }) => ({ relation, bytes: bytes / units, pageBytes: pageBytes / units }))
    .filter(({ bytes }) => bytes >= SMALLEST_BYTES)
    .map(({ relation, bytes, pageBytes }) => {
      const pages = pageBytes < SMALLEST_BYTES ? '' : ` (of it whole pages ${pageBytes.toFixed(0)})`;
      return `${relation} ${bytes.toFixed(0)}${pages}`;
    })
    .join(', ');
}
