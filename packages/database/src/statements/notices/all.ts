import { listNotices } from './list-notices';
import { claimNoticeMessages, recordNoticeMessage } from './notice-messages';
import { admitNoticeSettings, changeNoticeSettings, readNoticeSettings } from './notice-settings';
import { addNoticeTarget, listNoticeTargets, removeNoticeTarget, testNoticeTarget } from './notice-targets';
import { tellNotices, tidyNotices } from './tell-notices';
import { watchAudits, watchCallbacks, watchChannels, watchKeyQuotas, watchLowBalances } from './watch-notices';

export const NOTICE_STATEMENTS = {
  addNoticeTarget,
  admitNoticeSettings,
  changeNoticeSettings,
  claimNoticeMessages,
  listNoticeTargets,
  listNotices,
  readNoticeSettings,
  recordNoticeMessage,
  removeNoticeTarget,
  tellNotices,
  testNoticeTarget,
  tidyNotices,
  watchAudits,
  watchCallbacks,
  watchChannels,
  watchKeyQuotas,
  watchLowBalances,
};
