import { loadCatalogue } from '@mediagate/catalog';
import { protocolsOf, SettingsError } from '@mediagate/settings';
import * as domain from '@mediagate/tasks';
import { protocolWords } from '@mediagate/upstreams';
import type { OpenedCallbacks } from './open-callbacks';
import type { TriedConfiguration } from './open-configuration';
import type { Session } from './session';

/**
 * The domain of tasks for one command. A job that cannot be enqueued is the session's to warn of, a look that failed the logger's.
 *
 * @param tried the file is read only to cancel: its packages may be able to, and one with faults has none
 */
export function openTasks(
  session: Session,
  { database, queue }: OpenedCallbacks,
  tried: () => TriedConfiguration,
): domain.Tasks {
  const catalogue = loadCatalogue();
  return domain.openTasks({
    database,
    queue: { ...queue, enqueueTask: (task) => session.enqueue((queues) => queues.enqueueTask(task)) },
    logger: { warn: () => session.warn('the database did not answer; asking it again') },
    cancelling: {
      get protocols() {
        const found = tried();
        const protocols = protocolsOf(found instanceof SettingsError ? {} : found.settings);
        return protocolWords(protocols, ({ cancel }) => cancel !== undefined);
      },
      isSynchronous: ({ model, operation }) => catalogue.find(model, operation)?.synchronous ?? false,
    },
  });
}
