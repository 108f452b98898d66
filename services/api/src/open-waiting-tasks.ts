import { createSubmitter } from '@mediagate/billing';
import { LINGER_MS, LINGERING, Slots } from '@mediagate/concurrency';
import type { Scope } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import { openSpeechPort, readSpeechAddress, type SpeechPort } from '@mediagate/speech';
import { renewSubmitterLeases } from '@mediagate/tasks';
import type { Api } from './api';
import type { ApiConfig } from './config';
import { type SpeechLimits, TASK_WAITS, type WaitLimits } from './request-limits';
import { Speeches } from './use-cases/speech/speeches';
import { TaskWatch } from './use-cases/task-watch';
import { Settlements } from './use-cases/text/settlements';
import { keepTextLeases } from './use-cases/text/text-leases';

interface WaitingParts extends Pick<Api, 'database' | 'tasks' | 'callbacks'> {
  config: Pick<ApiConfig, 'SPEECH_LISTEN' | 'SPEECH_ADVERTISE'>;
  queues: Queues;
  times: { speech?: Partial<SpeechLimits>; lingerMs?: number; silenceMs?: number };
  waits?: WaitLimits;
}

export type WaitingTasks = Awaited<ReturnType<typeof openWaitingTasks>>;

/** The tasks whose callers wait for the answer itself, and how they end. @throws Error if nobody can listen for speech. */
export async function openWaitingTasks(
  scope: Scope,
  { config, database, tasks, queues, callbacks, times, waits = TASK_WAITS }: WaitingParts,
) {
  const { logger, metrics } = scope;
  const { read: readTask, finish } = tasks;
  const submit = createSubmitter(database);
  const settlements = new Settlements({ finish, submit, readTask, logger, metrics });
  const leases = keepTextLeases({
    inFlight: () => settlements.inFlight(),
    stop: (taskId, why) => settlements.stop(taskId, why),
    logger,
    renew: (texts, leaseMs) => renewSubmitterLeases(database, texts, leaseMs),
  });
  scope.defer('leases of texts', () => leases.stop());
  const taskWatch = new TaskWatch({ findChanged: (seen) => database.findChangedTasks(seen), logger });
  scope.onDrain('waiting callers', () => taskWatch.close());
  const port = await listenForSpeech(scope, config);
  const speeches = new Speeches({
    port,
    queues,
    callbacks,
    logger,
    finish,
    readTask,
    findCancelled: async (ids) => (await database.findCancelled(ids)).map(({ id }) => id),
    declineCancel: (task) => database.declineCancel(task),
    limits: times.speech ?? {},
  });
  return {
    submit,
    settlements,
    taskWatch,
    waitSlots: new Slots({ capacity: waits.max, perOwner: waits.accountMax }),
    speeches,
    lingering: new Slots(LINGERING),
    lingerMs: times.lingerMs ?? LINGER_MS,
    silenceMs: times.silenceMs,
  };
}

async function listenForSpeech(scope: Scope, config: WaitingParts['config']): Promise<SpeechPort> {
  const port = await openSpeechPort(readSpeechAddress(config.SPEECH_LISTEN, config.SPEECH_ADVERTISE));
  scope.defer('port of speech', () => port.close());
  scope.logger.info('speech.listening', { detail: port.url });
  return port;
}
