import type { Faults } from './chooser';
import { nameAtChecks, type ScenarioName } from './table';

/**
 * The faults that a job's start chose, as its checks meet them: `busy` struck the start, `check-busy*2` strikes the first
 * two checks.
 */
export function checkFaults(ofStart: Faults): Faults {
  const taken: ScenarioName[] = [];
  return {
    from: ofStart.from,
    mistakes: [],
    taken,
    take(name) {
      const asked = nameAtChecks(name);
      const scenario = asked && ofStart.take(asked);
      if (asked && scenario) taken.push(asked);
      return scenario;
    },
  };
}
