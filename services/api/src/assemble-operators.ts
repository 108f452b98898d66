import {
  adjust,
  failTask,
  listAudits,
  listLedger,
  readCharge,
  readInvoice,
  readMargin,
  refundTask,
  requestAudit,
  topUp,
} from '@mediagate/billing';
import { enqueueCallback, newWebhookSecret } from '@mediagate/callbacks';
import { vendorsOf } from '@mediagate/channels';
import type { Family, JsonObject } from '@mediagate/contracts';
import { type ChangeOutcome, changeOnce } from '@mediagate/database';
import {
  changeAccount,
  changeUser,
  closeAccount,
  createInvited,
  deleteUser,
  endUserSessions,
  findAccountOfKey,
  findListedKey,
  findUser,
  hasAllUsers,
  inviteUser,
  listAccounts,
  listActions,
  listQueues,
  openAccount,
  readAccount,
  resetSecondFactor,
  resetUser,
  resumeAccount,
  searchKeys,
  searchUsers,
  suspendAccount,
} from '@mediagate/identity';
import {
  listQuarantined,
  readResolution,
  readTaskHistory,
  resolveAttempt,
  retryTask,
  searchTasks,
} from '@mediagate/tasks';
import type { OperatorHandlerDeps } from './operator-handlers';
import type { OperatorResources } from './operator-resources';
import { settingUseCases } from './operator-settings';
import { SETTING_FIELDS } from './routes/keys/key-fields';
import { withBriefLinks } from './use-cases/brief-links';
import { ManageKeys } from './use-cases/manage-keys';
import { createReadMargin } from './use-cases/margin-report';

/** The use cases of operators. */
export function operatorUseCases(resources: OperatorResources): OperatorHandlerDeps {
  const { database, creditsPerUnit, pepper, models } = resources;
  return {
    callbacks: resources.callbacks,
    creditsPerUnit,
    catalogue: resources.catalogue,
    listActions: (filter) => listActions(database, filter),
    listSettings: resources.listSettings,
    listQueues: () => listQueues({ database, countJobs: () => resources.queues.counts().catch(() => undefined) }),
    openAccount: (account, request) =>
      openAccount(database, { ...account, webhookSecret: newWebhookSecret() }, request),
    readAccount: (id) => readAccount(database, id),
    listAccounts: (query) => listAccounts(database, query),
    findAccountOfKey: (keyId) => findAccountOfKey(database, keyId),
    changeAccount: (account, request) => changeAccount(database, account, request),
    suspendAccount: (id, request) => suspendAccount(database, id, request),
    resumeAccount: (id, request) => resumeAccount(database, id, request),
    closeAccount: (id, request) => closeAccount(database, id, request),
    topUp: (funding, request) => topUp(database, funding, request),
    adjust: (funding, request) => adjust(database, funding, request),
    refundTask: (refund, request) => refundTask(database, refund, request),
    readCharge: (taskId) => readCharge(database, taskId),
    models,
    searchKeys: (query) => searchKeys(database, query),
    findListedKey: (id) => findListedKey(database, id),
    manageKeys: new ManageKeys({ database, pepper, fieldNames: SETTING_FIELDS }),
    ...bookUseCases(resources),
    ...userUseCases(resources),
    ...supportUseCases(resources),
    ...settingUseCases(resources),
  };
}

function bookUseCases({ database, channelSources }: OperatorResources) {
  return {
    requestAudit: (request) => requestAudit(database, request),
    listAudits: (page) => listAudits(database, page),
    readInvoice: (accountId, month) => readInvoice(database, accountId, month),
    listLedger: (who, query) => listLedger(database, who, query),
    readMargin: createReadMargin(async (request) =>
      readMargin(database, { ...request, vendors: await vendorsOf(database, channelSources()) }),
    ),
  } satisfies Partial<OperatorHandlerDeps>;
}

function userUseCases({ database }: OperatorResources) {
  return {
    hasAllUsers: (accountId) => hasAllUsers(database, accountId),
    searchUsers: (query) => searchUsers(database, query),
    readUser: (id) => findUser(database, id),
    createInvited: (user, request) => createInvited(database, user, request),
    changeUser: (change, request) => changeUser(database, change, request),
    deleteUser: (user, request) => deleteUser(database, user, request),
    resetUser: (user, request) => resetUser(database, user, request),
    resetSecondFactor: (user, request) => resetSecondFactor(database, user, request),
    endUserSessions: (user, request) => endUserSessions(database, user, request),
    inviteUser: (userId, request) => inviteUser(database, userId, request),
  } satisfies Partial<OperatorHandlerDeps>;
}

function supportUseCases(resources: OperatorResources) {
  const { database, queues, links, callbacks } = resources;
  return {
    searchTasks: (wanted) => searchTasks(database, wanted),
    readTaskHistory: (id) => readTaskHistory(database, id),
    noteShownResult: (id, request) => changeOnce(database, request, () => database.noteShownResult(id, request)),
    readResult: async (id) => withBriefLinks((await readTaskHistory(database, id))?.result ?? null, links),
    async retryTask(taskId, request) {
      const outcome = await retryTask(database, taskId, request);
      const { family, fence, lease_ms: leaseMs } = afterOf(outcome);
      // A job of the same step may still be running somewhere, so this one has an id of its own.
      const job = { taskId, family: family as Family, fence: Number(fence), delayMs: Number(leaseMs) };
      if (family) inBackground(queues.enqueueTask({ ...job, distinct: `retry-${Date.now()}` }), resources);
      return outcome;
    },
    async failTask(taskId, request) {
      const outcome = await failTask(database, { taskId, onEnded: resources.onEnded }, request);
      const { delivery_id: deliveryId } = afterOf(outcome);
      if (typeof deliveryId === 'string') void enqueueCallback(callbacks, { deliveryId });
      return outcome;
    },
    listQuarantined: (page) => listQuarantined(database, page),
    resolveAttempt: (id, verdict, request) => resolveAttempt(database, id, verdict, request),
    readResolution: (id) => readResolution(database, id),
  } satisfies Partial<OperatorHandlerDeps>;
}

/** The row after the change; empty if neither this request nor an earlier one changed anything. */
function afterOf(outcome: ChangeOutcome): JsonObject {
  return outcome.kind === 'changed' ? outcome.row.after : {};
}

/** A hint only, which the answer does not wait for: without it the reconciler finds the row. */
function inBackground(enqueued: Promise<void>, { logger }: OperatorResources): void {
  enqueued.catch((error: unknown) => logger.warn('operators.enqueue_failed', { error }));
}
