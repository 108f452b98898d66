export { listNotices } from './list-notices';
export { claimNoticeMessages, recordNoticeMessage } from './notice-messages';
export {
  admitNoticeSettings,
  changeNoticeSettings,
  readNoticeReach,
  readNoticeSettings,
  reportNoticeReach,
} from './notice-settings';
export {
  addNoticeTarget,
  changeNoticeTarget,
  countNoticeTests,
  listNoticeTargets,
  removeNoticeTarget,
  testNoticeTarget,
} from './notice-targets';
export { tellNotices, tidyNotices } from './tell-notices';
export { watchBooks } from './watch-books';
export { endSickChannels, watchChannels } from './watch-channels';
export { watchNames } from './watch-names';
export { watchAudits, watchCallbacks, watchKeyQuotas, watchLowBalances } from './watch-notices';
export { watchStorage } from './watch-storage';
