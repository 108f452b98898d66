import type { Comparison, Outcome } from '../comparison';
import type { Stage } from '../stage';
import { costOfFastPaths } from './costs/fast-paths';
import { costOfImageTasks } from './costs/image-tasks';

/** Another path is another file, and a line here. */
const PATHS: readonly ((stage: Stage) => Promise<Outcome>)[] = [costOfFastPaths, costOfImageTasks];

/** Measures the cost of one unit of each path, in every resource: docs/scaling.md reckons with the results. */
export const costs: Comparison = {
  name: 'costs',
  goals: ['P20'],
  async run(stage): Promise<Outcome> {
    const outcomes: Outcome[] = [];
    for (const run of PATHS) {
      outcomes.push(await run(stage));
      await stage.servers.flushRedis();
    }
    return {
      figures: outcomes.flatMap(({ figures }) => figures),
      faults: outcomes.flatMap(({ faults }) => faults),
    };
  },
};
