import { NOTICE_KINDS } from '@mediagate/contracts';
import { OPERATORS } from '@mediagate/notices';
import type { OperatorCall } from '../../http/exchange';
import type { Audience } from '../../http/notices/audience';
import { listNotices } from '../../http/notices/list-notices';
import { getNoticeSettings, updateNoticeSettings } from '../../http/notices/settings';
import {
  createNoticeTarget,
  listNoticeTargets,
  removeNoticeTarget,
  testNoticeTarget,
  updateNoticeTarget,
} from '../../http/notices/targets';
import { readChange } from './change';

const TO_OPERATORS: Audience<OperatorCall> = {
  kinds: NOTICE_KINDS,
  ownerOf: () => OPERATORS,
  read: readChange,
  readBare: async (call) => (await readChange(call)).end(),
};

export const adminListNotices = listNotices(TO_OPERATORS, { byAccount: true });
export const adminListNoticeTargets = listNoticeTargets(TO_OPERATORS);
export const adminCreateNoticeTarget = createNoticeTarget(TO_OPERATORS);
export const adminUpdateNoticeTarget = updateNoticeTarget(TO_OPERATORS);
export const adminRemoveNoticeTarget = removeNoticeTarget(TO_OPERATORS);
export const adminTestNoticeTarget = testNoticeTarget(TO_OPERATORS);
export const adminGetNoticeSettings = getNoticeSettings(TO_OPERATORS);
export const adminUpdateNoticeSettings = updateNoticeSettings(TO_OPERATORS);
