import { type Comparison, inTurn } from '../comparison';
import { costOfFastPaths } from './costs/fast-paths';
import { costOfImageTasks } from './costs/image-tasks';

/** Measures the cost of one unit of each path, in every resource: docs/scaling.md reckons with the results. */
export const costs: Comparison = {
  name: 'costs',
  goals: ['P20'],
  run: (stage) => inTurn(stage, [costOfFastPaths, costOfImageTasks]),
};
