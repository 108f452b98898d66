import { ACCOUNT_NOTICE_KINDS, type JsonObject } from '@mediagate/contracts';
import { changeByCaller } from '../../../http/access/caller-change';
import { readJsonPatch } from '../../../http/body/json-body';
import type { Call } from '../../../http/exchange';
import { BodyFields } from '../../../http/fields/body-fields';
import type { Audience } from '../../../http/notices/audience';
import * as lists from '../../../http/notices/list-notices';
import * as settings from '../../../http/notices/settings';
import * as targets from '../../../http/notices/targets';

const TO_HOLDERS: Audience<Call> = {
  kinds: ACCOUNT_NOTICE_KINDS,
  ownerOf: ({ caller }) => caller.accountId,
  async read(call) {
    const body: JsonObject = await readJsonPatch(call);
    const fields = new BodyFields(body);
    return {
      fields,
      end() {
        fields.end();
        return changeByCaller(call, body);
      },
    };
  },
  readBare: async (call) => changeByCaller(call),
};

export const listNotices = lists.listNotices(TO_HOLDERS);
export const listNoticeTargets = targets.listNoticeTargets(TO_HOLDERS);
export const createNoticeTarget = targets.createNoticeTarget(TO_HOLDERS);
export const updateNoticeTarget = targets.updateNoticeTarget(TO_HOLDERS);
export const removeNoticeTarget = targets.removeNoticeTarget(TO_HOLDERS);
export const testNoticeTarget = targets.testNoticeTarget(TO_HOLDERS);
export const getNoticeSettings = settings.getNoticeSettings(TO_HOLDERS);
export const updateNoticeSettings = settings.updateNoticeSettings(TO_HOLDERS);
