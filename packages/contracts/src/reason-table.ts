import { EARLY_STATUSES, ERROR_TABLE } from './error-table';
import { isTaskFailureReason } from './faults';
import { REASONS, type Reason } from './reasons';

/** One reason as the reference shows it. */
export interface ReasonRow {
  reason: Reason;
  /** The statuses of answers that give it, ascending. */
  httpStatuses: readonly number[];
  /** A task may fail for it. */
  ofTasks: boolean;
  retry: 'no' | 'yes' | 'later';
  /** Failed work is not charged: a refused request books nothing, and a failed task is refunded. Work that goes on may be. */
  charged: boolean;
  meaning: string;
  advice: string;
}

/** In the order of `REASONS`. */
export function reasonTable(): ReasonRow[] {
  return (Object.keys(REASONS) as Reason[]).map((reason) => ({
    reason,
    httpStatuses: statusesOf(reason),
    ofTasks: isTaskFailureReason(reason),
    charged: false,
    ...REASONS[reason],
  }));
}

function statusesOf(reason: Reason): number[] {
  const errors = Object.values(ERROR_TABLE).filter(({ reasons }) => reasons.some((each) => each === reason));
  const early = Object.entries(EARLY_STATUSES).filter(([, each]) => each === reason);
  const statuses = [...errors.map(({ httpStatus }) => httpStatus), ...early.map(([status]) => Number(status))];
  return [...new Set(statuses)].sort((left, right) => left - right);
}
