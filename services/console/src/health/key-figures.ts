import type { MetricTotals } from './metrics-text';

export interface ProcessFigures {
  upSeconds?: number;
  work: WorkFigure[];
}

export interface WorkFigure {
  label: string;
  /** NaN: the process itself does not know. */
  value: number;
  /** Somebody should look at it. */
  alarming: boolean;
}

/** The figures that a process is asked for, by the names of their metrics. */
export const WORK_METRICS = [
  { metric: 'mediagate_http_request_duration_seconds', suffix: '_count', label: 'requests' },
  { metric: 'mediagate_tasks_in_flight', label: 'tasks in flight' },
  { metric: 'mediagate_task_steps_total', label: 'task steps' },
  { metric: 'mediagate_upstream_faults_total', label: 'upstream faults' },
  { metric: 'mediagate_overruns_total', label: 'overruns', alarming: true },
  { metric: 'mediagate_webhook_attempts_total', label: 'callback attempts' },
  { metric: 'mediagate_webhook_waiting', label: 'callbacks waiting' },
  { metric: 'mediagate_job_rows_total', label: 'rows mended' },
  { metric: 'mediagate_audit_violations', label: 'audit violations', alarming: true },
] as const;

const SIGNING_STATE = /^mediagate_signing_state\{state="(\w+)"[,}]/;
const SIGNING_END = /^mediagate_signing_certificate_end_timestamp_seconds(?:\{|$)/;
const GOOD_STATES: readonly string[] = ['valid', 'development'];
const DAY_SECONDS = 86_400;

/**
 * The state of the certificate by which a worker signs, with the days until or since its end, and whether what is to follow it does not fit. Workers that
 * share a process, each with a label `service`, have one certificate.
 */
function signingFigures(totals: MetricTotals, nowMs: number): WorkFigure[] {
  const current = [...totals].find(([name, value]) => value === 1 && SIGNING_STATE.test(name))?.[0];
  const state = current === undefined ? undefined : SIGNING_STATE.exec(current)?.[1];
  if (state === undefined) return [];
  // The sum over the workers stands first, and each worker's own behind it.
  const ends = [...totals].findLast(([name]) => SIGNING_END.test(name))?.[1] ?? Number.NaN;
  const daysLeft = (ends - nowMs / 1000) / DAY_SECONDS;
  const value = Math.floor(state === 'ended' ? -daysLeft : daysLeft);
  const figure = { label: `signing ${state.replace('_', ' ')}`, value, alarming: !GOOD_STATES.includes(state) };
  const isRefused = (totals.get('mediagate_signing_change_refused') ?? 0) !== 0;
  return isRefused ? [figure, { label: 'signing change refused', value: 1, alarming: true }] : [figure];
}

/** @param nowMs of the wall clock, against which processes report when they started. */
export function keyFigures(totals: MetricTotals, nowMs: number): ProcessFigures {
  const startedSeconds = totals.get('process_start_time_seconds');
  return {
    ...(startedSeconds !== undefined && { upSeconds: Math.max(0, nowMs / 1000 - startedSeconds) }),
    work: [
      ...WORK_METRICS.flatMap(({ metric, label, ...rest }) => {
        const value = totals.get(`${metric}${'suffix' in rest ? rest.suffix : ''}`);
        return value === undefined ? [] : [{ label, value, alarming: 'alarming' in rest && value !== 0 }];
      }),
      ...signingFigures(totals, nowMs),
    ],
  };
}
