import { type Comparison, inTurn, type Outcome } from '../comparison';
import type { Stage } from '../stage';
import { flood, limitedKey } from './scale/flood';
import { fullChannel } from './scale/full-channel';
import { killedWorker } from './scale/killed-worker';
import { throttle } from './scale/throttle';

/** Another case is another file, and a line here. */
const CASES: Record<string, (stage: Stage) => Promise<Outcome>> = {
  flood,
  'limited-key': limitedKey,
  'full-channel': fullChannel,
  throttle,
  'killed-worker': killedWorker,
};

/** Measures loads beyond what the workers carry, one case after the other. */
export const scale: Comparison = {
  name: 'scale',
  goals: ['P19'],
  run: async (stage) => inTurn(stage, chosenCases(stage.cases)),
};

/** @throws Error naming those that there are. */
function chosenCases(names: readonly string[] = Object.keys(CASES)): ((stage: Stage) => Promise<Outcome>)[] {
  return names.map((name) => {
    const run = CASES[name];
    if (!run) throw new Error(`--cases: there is no case ${name}, but ${Object.keys(CASES).join(', ')}`);
    return run;
  });
}
