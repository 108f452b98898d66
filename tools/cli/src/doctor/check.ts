import { Refusal } from '../refusal';
import { reasonOf } from '../session';

/** `unknown`: nobody could look, because of what another check says or where this process lacks what it takes. */
export type CheckState = 'ok' | 'warning' | 'fault' | 'unknown';

export interface Finding {
  state: CheckState;
  found: string;
  /** The operator's next step. */
  action?: string;
  /** A file of docs/runbooks. */
  runbook?: string;
}

/** One look at one part of the deployment. It changes nothing that lasts, and shows no secret. */
export interface Check {
  name: string;
  /** A rejection is a fault; one with a Refusal is in the words of the operator already. */
  look(): Promise<Finding[]>;
  /** The operator's next step where it cannot look at all. */
  unreachable?: Pick<Finding, 'action' | 'runbook'>;
}

export type NamedFinding = Finding & { check: string };

/** Another check says what is wrong. */
export class NotLookedAt extends Error {}

/** Runs all checks at once. None waits for another, and one that has no answer in time is a fault of its own. */
export async function runChecks(checks: readonly Check[], withinMs: number): Promise<NamedFinding[]> {
  const found = await Promise.all(checks.map((check) => runOne(check, withinMs)));
  return found.flat();
}

async function runOne({ name, look, unreachable }: Check, withinMs: number): Promise<NamedFinding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    const found = `there was no answer within ${withinMs / 1000} s`;
    timer = setTimeout(() => resolve([{ state: 'fault', found, ...unreachable }]), withinMs);
  });
  const looked = look().catch((error: unknown): Finding[] => [
    error instanceof NotLookedAt
      ? { state: 'unknown', found: `not looked at: ${error.message}` }
      : { state: 'fault', found: error instanceof Refusal ? error.message : reasonOf(error), ...unreachable },
  ]);
  try {
    return (await Promise.race([looked, late])).map((finding) => ({ check: name, ...finding }));
  } finally {
    clearTimeout(timer);
  }
}
