import { type ListedNotice, readPage } from '@mediagate/database';
import { describeListedNotice } from '@mediagate/notices';
import { answerLanguage } from '../answers/answer-language';
import type { Exchange } from '../exchange';
import { readNumberedPageQuery, sendPage } from '../fields/page';
import type { Audience, NoticeHandler } from './audience';

const LIST = 'notices';
const STATES = ['standing', 'resolved'] as const;

/** GET /v1/notices and GET /admin/v1/notices: the newest first. */
export function listNotices<Asked extends Exchange>(
  { kinds, ownerOf }: Audience<Asked>,
  { byAccount = false } = {},
): NoticeHandler<Asked> {
  return async (call, { database }) => {
    const { query, limit, before } = readNumberedPageQuery(call.request, LIST);
    const state = query.oneOf('state', STATES);
    const wanted = {
      owner: ownerOf(call),
      standing: state === undefined ? undefined : state === 'standing',
      kind: query.oneOf('kind', kinds),
      accountId: byAccount ? query.text('account_id') : undefined,
      before,
    };
    query.end();
    const page = await readPage<ListedNotice>(limit, (rows) => database.listNotices({ ...wanted, limit: rows }));
    const language = answerLanguage(call.response);
    sendPage(call.response, LIST, page, (notice) => describeListedNotice(notice, language));
  };
}
