import type { RouterContext } from '@mediagate/api/operators-router';
import { loadCatalogue } from '@mediagate/catalog';
import { openCallbacks } from '../open-callbacks';
import { openChannels } from '../open-channels';
import {
  type OpenedConfiguration,
  requireRight,
  type TriedConfiguration,
  tryConfiguration,
} from '../open-configuration';
import { openTasks } from '../open-tasks';
import type { Session } from '../session';

/**
 * The context of the operators' routes for one command. What few routes need is opened by those: the configuration file, the pepper.
 *
 * @throws Refusal
 */
export async function openOperators(session: Session): Promise<RouterContext> {
  const database = await session.openDatabase();
  const callbacks = openCallbacks(session, database);
  let configuration: TriedConfiguration | undefined;
  const tried = () => (configuration ??= tryConfiguration(session));
  const opened = () => requireRight(session, tried());
  return {
    database,
    callbacks: { ...callbacks, rules: noRules },
    queues: { counts: () => session.countJobs(), servers: () => session.describeRedis() },
    get tasks() {
      return openTasks(session, callbacks, tried);
    },
    get channels() {
      return openChannels(session, database, tried());
    },
    get pepper() {
      return session.deployment.pepper();
    },
    get catalogue() {
      return opened().catalogue;
    },
    get creditsPerUnit() {
      return session.creditsPerUnit;
    },
    filePrices: () => opened().settings.prices,
    models: () => ({ find: (name) => modelNamed(name, opened) }),
  };
}

/** The configuration may describe models; it is opened where the catalogue of this build has none of that name. */
function modelNamed(name: string, opened: () => OpenedConfiguration): { entry: { id: string } } | undefined {
  const entry = loadCatalogue().find(name) ?? opened().catalogue.find(name);
  return entry && { entry };
}

function noRules(): never {
  throw new Error('no command sends a callback, and addresses of operators need not keep to the rules of callbacks');
}
