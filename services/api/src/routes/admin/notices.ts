import { TO_OPERATORS } from '../notices/audience';
import { listNotices } from '../notices/list-notices';
import { getNoticeSettings, updateNoticeSettings } from '../notices/settings';
import {
  createNoticeTarget,
  listNoticeTargets,
  removeNoticeTarget,
  testNoticeTarget,
  updateNoticeTarget,
} from '../notices/targets';

export const adminListNotices = listNotices(TO_OPERATORS, { byAccount: true });
export const adminListNoticeTargets = listNoticeTargets(TO_OPERATORS);
export const adminCreateNoticeTarget = createNoticeTarget(TO_OPERATORS);
export const adminUpdateNoticeTarget = updateNoticeTarget(TO_OPERATORS);
export const adminRemoveNoticeTarget = removeNoticeTarget(TO_OPERATORS);
export const adminTestNoticeTarget = testNoticeTarget(TO_OPERATORS);
export const adminGetNoticeSettings = getNoticeSettings(TO_OPERATORS);
export const adminUpdateNoticeSettings = updateNoticeSettings(TO_OPERATORS);
