import type { Faults } from './chooser';
import type { ScenarioName } from './scenarios';

/** What a check may meet, by the name under which the list of the job's start asks for it. */
const namesInStart: Partial<Record<ScenarioName, ScenarioName>> = {
  latency: 'check-latency',
  'rate-limit': 'check-rate-limit',
  '5xx': 'check-5xx',
  busy: 'check-busy',
  auth: 'check-auth',
  'gateway-html': 'check-gateway-html',
  'reset-before': 'check-reset',
  malformed: 'check-malformed',
  'truncated-json': 'check-truncated-json',
  // Only a check shows the state and the result, so these need no other name.
  'new-status-word': 'new-status-word',
  'missing-url': 'missing-url',
  'empty-result': 'empty-result',
  'wrong-type': 'wrong-type',
};

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
      const asked = namesInStart[name];
      const scenario = asked && ofStart.take(asked);
      if (asked && scenario) taken.push(asked);
      return scenario;
    },
  };
}
