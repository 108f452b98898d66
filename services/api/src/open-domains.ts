import { createSubmitter, type FinishedTask } from '@mediagate/billing';
import { type Callbacks, openCallbacks } from '@mediagate/callbacks';
import { LINGER_MS, LINGERING, Slots } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import { protocolsOf } from '@mediagate/settings';
import { openSpeechPort, readSpeechAddress, type SpeechPort } from '@mediagate/speech';
import { openTasks, renewSubmitterLeases } from '@mediagate/tasks';
import { protocolWords } from '@mediagate/upstreams';
import type { AppOptions } from './api-options';
import type { ApiConfig } from './config';
import type { Followed } from './follow-settings';
import type { Operators } from './operators';
import { TASK_WAITS } from './request-limits';
import { Speeches } from './use-cases/speech/speeches';
import { TaskWatch } from './use-cases/task-watch';
import { Settlements } from './use-cases/text/settlements';
import { keepTextLeases } from './use-cases/text/text-leases';

export type Domains = Pick<Operators, 'database' | 'tasks' | 'channels'> & { callbacks: Callbacks };

interface DomainParts {
  database: Database;
  queues: Queues;
  followed: Followed;
  /** Measures a task that ends in this process. */
  onEnded(ended: FinishedTask): void;
  cancelWaitMs: number | undefined;
}

/** Opens the domains that the routes of callers and of operators work with. */
export function openDomains(
  { logger }: Pick<Scope, 'logger'>,
  { database, queues, followed, onEnded, cancelWaitMs }: DomainParts,
): Domains {
  const { catalogue, channelDomain, webhookRules, settings } = followed;
  return {
    database,
    callbacks: openCallbacks({ database, queue: queues, logger, rules: webhookRules }),
    channels: { ...channelDomain, database },
    tasks: openTasks({
      database,
      queue: queues,
      logger,
      onEnded,
      cancelling: {
        protocols: protocolWords(protocolsOf(settings), ({ cancel }) => cancel !== undefined),
        isSynchronous: ({ model, operation }) =>
          catalogue.entries.some((entry) => entry.id === model && entry.operation === operation && entry.synchronous),
        waitMs: cancelWaitMs,
      },
    }),
  };
}

export type WaitingTasks = Awaited<ReturnType<typeof openWaitingTasks>>;

/** The tasks whose callers wait for the answer itself, and how they end. @throws Error if nobody can listen for speech. */
export async function openWaitingTasks(
  scope: Scope,
  { database, tasks, callbacks, queues }: Domains & { queues: Queues },
  { config, times, waits = TASK_WAITS }: Pick<AppOptions, 'config' | 'times' | 'waits'>,
) {
  const { logger, metrics } = scope;
  const { finish } = tasks;
  const { readTask } = database;
  const submit = createSubmitter(database);
  const settlements = new Settlements({ finish, submit, readTask, logger, metrics });
  keepLeases(scope, { database, settlements, everyMs: times.leaseRenewalMs });
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

/** Leases the texts that this process writes until it ends. */
function keepLeases(
  scope: Scope,
  { database, settlements, everyMs }: { database: Database; settlements: Settlements; everyMs: number | undefined },
): void {
  const leases = keepTextLeases({
    everyMs,
    inFlight: () => settlements.inFlight(),
    stop: (taskId, why) => settlements.stop(taskId, why),
    logger: scope.logger,
    renew: (texts, leaseMs) => renewSubmitterLeases(database, texts, leaseMs),
  });
  scope.defer('leases of texts', () => leases.stop());
}

async function listenForSpeech(scope: Scope, config: ApiConfig): Promise<SpeechPort> {
  const port = await openSpeechPort(readSpeechAddress(config.SPEECH_LISTEN, config.SPEECH_ADVERTISE));
  scope.defer('port of speech', () => port.close());
  scope.logger.info('speech.listening', { detail: port.url });
  return port;
}
