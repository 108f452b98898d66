import { loadCatalogue } from '@mediagate/catalog';
import * as domain from '@mediagate/tasks';
import { protocolWords } from '@mediagate/upstreams';
import type { OpenedCallbacks } from './open-callbacks';
import { tryConfiguration } from './open-configuration';
import type { Session } from './session';

/** The domain of tasks for one command. A job that cannot be enqueued is the session's to warn of, a look that failed the logger's. */
export function openTasks(session: Session, { database, queue }: OpenedCallbacks): domain.Tasks {
  const catalogue = loadCatalogue();
  // The packages that the configuration file names may cancel, too. One with faults names none.
  tryConfiguration(session);
  return domain.openTasks({
    database,
    queue: { ...queue, enqueueTask: (task) => session.enqueue((queues) => queues.enqueueTask(task)) },
    logger: { warn: () => session.warn('the database did not answer; asking it again') },
    cancelling: {
      protocols: protocolWords(({ cancel }) => cancel !== undefined),
      isSynchronous: ({ model, operation }) => catalogue.find(model, operation)?.synchronous ?? false,
    },
  });
}
