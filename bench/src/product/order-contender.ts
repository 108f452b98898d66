import type { RunningProgram } from '../machine/processes';
import type { Contender } from '../measure/interleave';
import { metered, type Slice } from '../measure/slice';
import type { Stage } from '../stage';

/** An order to a floor that is no server: how many units to run; the floor reports the seconds that they took. */
export interface FloorOrder {
  run: number;
}

export interface FloorReport {
  seconds: number;
}

export interface OrderContender extends Contender {
  /** Units done so far. */
  done(): number;
}

const PROBE_UNITS = 500;
const MAX_UNITS = 100_000;

/** A program that is given so many units at once as it will do in a slice, at the rate of the slice before, as workers are. */
export function orderContender(stage: Stage, name: string, program: RunningProgram): OrderContender {
  const meters = { service: [program], ...stage.servers };
  let rate: number | undefined;
  let done = 0;

  async function run(count: number): Promise<Slice> {
    const slice = await metered(meters, async () => {
      const { seconds } = await program.order<FloorReport>({ run: count } satisfies FloorOrder);
      return { count, seconds };
    });
    done += count;
    rate = count / slice.seconds;
    return slice;
  }

  return {
    name,
    done: () => done,
    async slice(ms) {
      if (rate === undefined) await run(PROBE_UNITS);
      return run(Math.min(MAX_UNITS, Math.max(PROBE_UNITS, Math.round(((rate ?? 0) * ms) / 1000))));
    },
  };
}
