/** Half of a round trip may be an error: an answer that waited, as for a connection of the pool, measures nothing. */
const MAX_ROUND_TRIP_MS = 1000;
const READ_CLOCK = 'select extract(epoch from clock_timestamp())::float8 as seconds';

/** How far the clock of this process is ahead of the database's; below zero: behind. Nothing is decided by it. */
export class ClockAhead {
  readonly #run: (text: string) => Promise<unknown>;
  #seconds: number | undefined;

  constructor(run: (text: string) => Promise<unknown>) {
    this.#run = run;
  }

  /** By the last measurement; undefined: there was none. */
  get seconds(): number | undefined {
    return this.#seconds;
  }

  async measure(): Promise<void> {
    const sentAt = Date.now();
    const [row] = (await this.#run(READ_CLOCK)) as { seconds: number }[];
    const answeredAt = Date.now();
    // The database read its clock in between.
    if (row && answeredAt - sentAt <= MAX_ROUND_TRIP_MS) this.#seconds = (sentAt + answeredAt) / 2000 - row.seconds;
  }
}
