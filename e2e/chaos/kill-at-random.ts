import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName, System } from '../system/start-system';

export type Victim<Name extends ServiceName> = Name | 'redis';

/** Between two kills: long enough for some work to be in flight, short enough for none to be sure of finishing. */
const PAUSE_MS = [300, 1500] as const;

/** SIGKILL to one after the other, each of which is started again; Redis comes back empty. Resolves with who was killed. */
export async function killAtRandom<Name extends ServiceName>(
  { services, redis }: System<Name>,
  victims: readonly Victim<Name>[],
  kills: number,
): Promise<Victim<Name>[]> {
  const killed: Victim<Name>[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(PAUSE_MS[0] + Math.random() * (PAUSE_MS[1] - PAUSE_MS[0]));
    const victim = victims[kill % victims.length] as Victim<Name>;
    killed.push(victim);
    if (victim === 'redis') {
      await redis?.kill();
      await redis?.start({ empty: true });
    } else {
      await services[victim].kill();
      await services[victim].start();
    }
  }
  return killed;
}
