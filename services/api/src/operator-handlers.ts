import type { Callbacks } from '@mediagate/callbacks';
import type { OperatorHandlers } from './http/handler';
import {
  type AccountDeps,
  createGetAccount,
  createListAccounts,
  createMoveAccount,
  createOpenAccount,
  createUpdateAccount,
} from './routes/admin/accounts';
import { type AttemptDeps, createListQuarantine, createResolveAttempt } from './routes/admin/attempts';
import { type AuditDeps, createListAudits, createRunAudit } from './routes/admin/audits';
import { createGetSchedule, createUpdateSchedule, type ScheduleDeps } from './routes/admin/callback-schedule';
import {
  type ChannelDeps,
  createAddChannel,
  createGetChannel,
  createGetHistory,
  createGiveBackChannel,
  createListChannels,
  createProbeChannel,
  createSetChannel,
  createUpdateChannel,
  readWeight,
} from './routes/admin/channels';
import {
  createCancelDelivery,
  createListAllDeliveries,
  createRedeliverAll,
  createRedeliverAny,
} from './routes/admin/deliveries';
import { type AnyInvoiceDeps, createGetAnyInvoice } from './routes/admin/invoice';
import {
  createChangeKey,
  createEndKey,
  createIssueKey,
  createListOperatorKeys,
  createRotateKey,
  type OperatorKeyDeps,
} from './routes/admin/keys';
import { createGetOperator, createListActions, type LogDeps } from './routes/admin/log';
import {
  createAdjustAccount,
  createListAccountLedger,
  createRefundTask,
  createTopUpAccount,
  type MoneyDeps,
} from './routes/admin/money';
import { createListPriceOverrides, createListPrices, createSetPrice, type PriceDeps } from './routes/admin/prices';
import { createListQueues, type QueueDeps } from './routes/admin/queues';
import { createListSecrets, createRemoveSecret, createSetSecret, type SecretDeps } from './routes/admin/secrets';
import { createListSettings, type SettingDeps } from './routes/admin/settings';
import {
  createFailTask,
  createReadTask,
  createRetryTask,
  createSearchTasks,
  createShowResult,
  type SupportDeps,
} from './routes/admin/tasks';
import { createGetMargin, type MarginDeps } from './routes/admin/usage';
import {
  createDeleteUser,
  createGetUser,
  createInviteUser,
  createInviteUserAgain,
  createListUsers,
  createResetUser,
  createSetUser,
  createUpdateUser,
  type UserDeps,
} from './routes/admin/users';
import { TO_OPERATORS } from './routes/notices/audience';
import { createListNotices, type NoticeListDeps } from './routes/notices/list-notices';
import { createGetNoticeSettings, createUpdateNoticeSettings, type NoticeSettingDeps } from './routes/notices/settings';
import {
  createCreateNoticeTarget,
  createListNoticeTargets,
  createRemoveNoticeTarget,
  createTestNoticeTarget,
  createUpdateNoticeTarget,
  type NoticeTargetDeps,
} from './routes/notices/targets';

export interface OperatorHandlerDeps
  extends AccountDeps,
    AnyInvoiceDeps,
    AttemptDeps,
    AuditDeps,
    ChannelDeps,
    LogDeps,
    MarginDeps,
    MoneyDeps,
    NoticeListDeps,
    NoticeSettingDeps,
    NoticeTargetDeps,
    OperatorKeyDeps,
    PriceDeps,
    QueueDeps,
    ScheduleDeps,
    SecretDeps,
    SettingDeps,
    SupportDeps,
    UserDeps {
  callbacks: Callbacks;
}

/** The handler of each entry for operators. */
export function createOperatorHandlers(deps: OperatorHandlerDeps): OperatorHandlers {
  return {
    adminGetOperator: createGetOperator(),
    adminListActions: createListActions(deps),
    ...accountHandlers(deps),
    ...keyHandlers(deps),
    ...userHandlers(deps),
    adminListAudits: createListAudits(deps),
    adminRunAudit: createRunAudit(deps),
    adminTopUpAccount: createTopUpAccount(deps),
    adminAdjustAccount: createAdjustAccount(deps),
    adminListLedger: createListAccountLedger(deps),
    adminRefundTask: createRefundTask(deps),
    adminGetInvoice: createGetAnyInvoice(deps),
    adminGetUsage: createGetMargin(deps),
    adminSearchTasks: createSearchTasks(deps),
    adminGetTask: createReadTask(deps),
    adminShowResult: createShowResult(deps),
    adminRetryTask: createRetryTask(deps),
    adminFailTask: createFailTask(deps),
    adminListQuarantine: createListQuarantine(deps),
    adminResolveAttempt: createResolveAttempt(deps),
    adminListDeliveries: createListAllDeliveries(deps.callbacks),
    adminRedeliverMany: createRedeliverAll(deps.callbacks),
    adminRedeliver: createRedeliverAny(deps.callbacks),
    adminCancelDelivery: createCancelDelivery(deps.callbacks),
    ...channelHandlers(deps),
    adminListPrices: createListPrices(deps),
    adminListPriceOverrides: createListPriceOverrides(deps),
    adminSetPrice: createSetPrice(deps),
    adminListQueues: createListQueues(deps),
    adminListSettings: createListSettings(deps),
    ...noticeHandlers(deps),
    ...settingHandlers(deps),
  };
}

function channelHandlers(deps: ChannelDeps) {
  return {
    adminListChannels: createListChannels(deps),
    adminAddChannel: createAddChannel(deps),
    adminGetChannel: createGetChannel(deps),
    adminGetChannelHistory: createGetHistory(deps),
    adminProbeChannel: createProbeChannel(deps),
    adminUpdateChannel: createUpdateChannel(deps),
    adminDrainChannel: createSetChannel(deps, () => ({ state: 'draining' })),
    adminDisableChannel: createSetChannel(deps, () => ({ state: 'disabled' })),
    adminWeighChannel: createSetChannel(deps, readWeight),
    adminResetChannel: createGiveBackChannel(deps, deps.resetChannel),
    adminRemoveChannel: createGiveBackChannel(deps, deps.removeChannel),
  } satisfies Partial<OperatorHandlers>;
}

function settingHandlers(deps: ScheduleDeps & SecretDeps) {
  return {
    adminGetCallbackSchedule: createGetSchedule(deps),
    adminUpdateCallbackSchedule: createUpdateSchedule(deps),
    adminListSecrets: createListSecrets(deps),
    adminSetSecret: createSetSecret(deps),
    adminRemoveSecret: createRemoveSecret(deps),
  } satisfies Partial<OperatorHandlers>;
}

function accountHandlers(deps: AccountDeps) {
  return {
    adminListAccounts: createListAccounts(deps),
    adminCreateAccount: createOpenAccount(deps),
    adminGetAccount: createGetAccount(deps),
    adminUpdateAccount: createUpdateAccount(deps),
    adminSuspendAccount: createMoveAccount(deps, deps.suspendAccount),
    adminResumeAccount: createMoveAccount(deps, deps.resumeAccount),
    adminCloseAccount: createMoveAccount(deps, deps.closeAccount),
  } satisfies Partial<OperatorHandlers>;
}

function noticeHandlers(deps: NoticeListDeps & NoticeSettingDeps & NoticeTargetDeps) {
  return {
    adminListNotices: createListNotices(deps, TO_OPERATORS, { byAccount: true }),
    adminListNoticeTargets: createListNoticeTargets(deps, TO_OPERATORS),
    adminCreateNoticeTarget: createCreateNoticeTarget(deps, TO_OPERATORS),
    adminUpdateNoticeTarget: createUpdateNoticeTarget(deps, TO_OPERATORS),
    adminRemoveNoticeTarget: createRemoveNoticeTarget(deps, TO_OPERATORS),
    adminTestNoticeTarget: createTestNoticeTarget(deps, TO_OPERATORS),
    adminGetNoticeSettings: createGetNoticeSettings(deps, TO_OPERATORS),
    adminUpdateNoticeSettings: createUpdateNoticeSettings(deps, TO_OPERATORS),
  } satisfies Partial<OperatorHandlers>;
}

function keyHandlers(deps: OperatorKeyDeps) {
  return {
    adminListKeys: createListOperatorKeys(deps),
    adminCreateKey: createIssueKey(deps),
    adminUpdateKey: createChangeKey(deps),
    adminRotateKey: createRotateKey(deps),
    adminRevokeKey: createEndKey(deps),
  } satisfies Partial<OperatorHandlers>;
}

function userHandlers(deps: UserDeps) {
  return {
    adminListUsers: createListUsers(deps),
    adminInviteUser: createInviteUser(deps),
    adminGetUser: createGetUser(deps),
    adminUpdateUser: createUpdateUser(deps),
    adminDisableUser: createSetUser(deps, (user, request) =>
      deps.changeUser({ user, settings: { disabled: true } }, request),
    ),
    adminEnableUser: createSetUser(deps, (user, request) =>
      deps.changeUser({ user, settings: { disabled: false } }, request),
    ),
    adminEndUserSessions: createSetUser(deps, deps.endUserSessions),
    adminResetUserSecondFactor: createSetUser(deps, deps.resetSecondFactor),
    adminResetUser: createResetUser(deps),
    adminInviteUserAgain: createInviteUserAgain(deps),
    adminDeleteUser: createDeleteUser(deps),
  } satisfies Partial<OperatorHandlers>;
}
