import type { Fault } from '@mediagate/contracts';
import type { Run } from '../run-state';
import { isAccepted } from './load-media';

const GONE: Fault = { code: 'not_accepted', detail: 'the model is not in the catalogue or the configuration any more' };

/** Nobody can say any more how a model that is gone is asked for: what no upstream has accepted fails, with a refund. */
export async function endGoneModel(run: Run): Promise<Run> {
  if (!run.entry.isGone || isAccepted(run)) return run;
  if (run.inDoubt) return { ...run, outcome: { kind: 'failed', reason: 'outcome_unknown', fault: IN_DOUBT } };
  return { ...run, outcome: { kind: 'failed', reason: 'no_upstream', fault: GONE } };
}

/** It may have been accepted, and cannot be sent again. */
const IN_DOUBT: Fault = { ...GONE, code: 'outcome_unknown' };
