export type { ListedNotice, ListedTarget, NoticeSettingsChange } from '@mediagate/database';
export { OPERATORS } from '@mediagate/database';
export { describeListedNotice } from './describe-notice';
export { createMailer, type Mailer } from './mailer';
export { reportReach, unreachable } from './reach';
export { NoticeSender, type NoticeSenderDeps } from './send-notices';
export { changeSettings, describeSettings, type NoticeSettingsInForce, readSettings } from './settings';
export {
  type AddedTarget,
  addTarget,
  describeTarget,
  findTarget,
  isTestedOften,
  listTargets,
  MAX_NOTICE_TARGETS,
  MAX_TESTS_PER_DAY,
  type NewTarget,
  testTarget,
} from './targets';
export { watchNotices } from './watch-notices';
