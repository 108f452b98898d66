import { listNotices } from './list-notices';
import { claimNoticeMessages, recordNoticeMessage } from './notice-messages';
import {
  admitNoticeSettings,
  changeNoticeSettings,
  readNoticeReach,
  readNoticeSettings,
  reportNoticeReach,
} from './notice-settings';
import {
  addNoticeTarget,
  changeNoticeTarget,
  countNoticeTests,
  listNoticeTargets,
  removeNoticeTarget,
  testNoticeTarget,
} from './notice-targets';
import { tellNotices, tidyNotices } from './tell-notices';
import { endSickChannels, watchChannels } from './watch-channels';
import { watchAudits, watchCallbacks, watchKeyQuotas, watchLowBalances } from './watch-notices';
import { watchStorage } from './watch-storage';

export const NOTICE_STATEMENTS = {
  addNoticeTarget,
  admitNoticeSettings,
  changeNoticeSettings,
  changeNoticeTarget,
  claimNoticeMessages,
  countNoticeTests,
  endSickChannels,
  listNoticeTargets,
  listNotices,
  readNoticeReach,
  readNoticeSettings,
  recordNoticeMessage,
  removeNoticeTarget,
  reportNoticeReach,
  tellNotices,
  testNoticeTarget,
  tidyNotices,
  watchAudits,
  watchCallbacks,
  watchChannels,
  watchKeyQuotas,
  watchLowBalances,
  watchStorage,
};
