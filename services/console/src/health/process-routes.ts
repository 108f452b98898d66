import type { RequestHandler } from 'express';
import type { ProcessHealth } from './probe-process';

/** GET /processes: every process with its readiness and key figures, for operators. */
export function showProcesses(probeProcesses: () => Promise<ProcessHealth[]>): RequestHandler {
  return async (_request, response) => {
    response.json({ data: (await probeProcesses()).map(describe) });
  };
}

function describe({ name, address, state, reason, figures }: ProcessHealth): object {
  return {
    name,
    address,
    state,
    reason: reason ?? null,
    up_seconds: figures?.upSeconds ?? null,
    work: (figures?.work ?? []).map(({ label, value, alarming }) => ({
      label,
      value: Number.isNaN(value) ? null : value,
      alarming,
    })),
  };
}
