import { endpointOf } from '@mediagate/channels';
import { FAULT_TABLE, type Refused, type StartOutcome } from '@mediagate/contracts';
import { toCounts } from '../counts';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { inDoubt } from './in-doubt';
import { isAccepted } from './load-media';

/** The one step that spends money upstream. It runs under a written intent, once, through the channel's breaker. */
export async function startAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  if (isAccepted(run) || !run.underWay) return run;
  const { underWay, task, entry, media = [], signal } = run;
  const { channel, adapter } = underWay;
  const request = { attemptId: underWay.id, request: entry.request(task.input, media), media };
  const context = { endpoint: endpointOf(channel, task.model), signal };
  if (!run.stillHeld()) return { ...run, outcome: { kind: 'lost' } };
  const started = await deps.channels
    .breaker(channel.id)
    .run<StartOutcome>(() => adapter.start(request, context).catch(asUnknown), countsAgainstChannel);
  return applyStart(run, started ?? CHANNEL_BROKEN);
}

function applyStart(run: Run, started: StartOutcome): Run {
  switch (started.kind) {
    case 'done': {
      const { outputs, facts, usage, requestIds = [] } = started;
      return { ...run, produced: { outputs, facts, usage: toCounts(usage), requestIds } };
    }
    case 'started': {
      const { externalId, operation, checkAfterMs, requestIds = [] } = started;
      return { ...run, outcome: { kind: 'accepted', externalId, operation, checkAfterMs, requestIds } };
    }
    case 'refused':
      return { ...run, outcome: refusalOutcome(run, started) };
    case 'streaming':
      throw new Error('nobody listens');
    default:
      return started satisfies never;
  }
}

const CHANNEL_BROKEN: Refused = {
  kind: 'refused',
  fault: { code: 'not_accepted', detail: 'the channel is being probed by another task' },
};

function countsAgainstChannel(outcome: StartOutcome): boolean {
  return outcome.kind === 'refused' && FAULT_TABLE[outcome.fault.code].breaker;
}

/** An adapter that throws has a bug, and may have sent its request before it did. */
function asUnknown(error: unknown): Refused {
  const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown error';
  return { kind: 'refused', fault: { code: 'outcome_unknown', detail } };
}

function refusalOutcome(run: Run, { fault, requestIds = [] }: Refused): NonNullable<Run['outcome']> {
  const { nextChannel, quarantine } = FAULT_TABLE[fault.code];
  if (quarantine || (nextChannel && run.inDoubt)) return inDoubt(run, fault, requestIds);
  switch (fault.code) {
    case 'bad_request':
    case 'content_policy':
    case 'generation_failed':
      return {
        ...{ kind: 'failed', reason: fault.code, fault, requestIds },
        ...(fault.publicMessage === undefined ? {} : { message: fault.publicMessage }),
      };
    default:
      return { kind: 'turned_away', fault, requestIds };
  }
}
