import { ACCOUNT_NOTICE_KINDS } from '@mediagate/contracts';
import type { Operation, Parameter } from '../operation';
import { json, listOf, object, oneOf, page, ref, string, wrapped } from '../schemas/build';
import { changedTargetFields, SETTING_FIELDS, targetFields } from '../schemas/notices';
import { CURSOR, LIMIT, QUERY, SUBMIT } from './access';
import { CHANGE_KEY } from './admin/access';

const query = { ...QUERY, tag: 'Notices', scope: 'account', manages: true } as const;
const command = { ...SUBMIT, tag: 'Notices', scope: 'account', manages: true, parameters: [CHANGE_KEY] } as const;
const settings = json(wrapped(ref('NoticeSettings')));

export const NOTICE_STATE: Parameter = {
  in: 'query',
  name: 'state',
  description: '`standing`: only conditions that last; `resolved`: only those that have ended.',
  schema: oneOf(['standing', 'resolved']),
};
export const noticeKind = (kinds: readonly string[]): Parameter => ({
  in: 'query',
  name: 'kind',
  description: 'Only of this kind.',
  schema: oneOf(kinds),
});
/** A message of test is under way, and is not waited for. */
export const TESTED = {
  202: {
    description: 'A message is on its way; `last_message` of the target says what comes of it.',
    content: json(object({ code: { const: 202 }, data: ref('NoticeTarget') })),
  },
} as const;
export const MADE = {
  201: {
    description: 'The target.',
    content: json(object({ code: { const: 201 }, data: ref('NoticeTarget') })),
  },
} as const;
export const CHANGED = {
  200: { description: 'The target as it is now.', content: json(wrapped(ref('NoticeTarget'))) },
} as const;
export const REMOVED = {
  200: { description: 'It is removed.', content: json(wrapped(object({ id: string() }))) },
} as const;
export const TARGET_LIST = {
  200: { description: 'The targets, the oldest first.', content: json(wrapped(listOf(ref('NoticeTarget')))) },
} as const;

/** Operations on the notices to holders of an account, and on the targets that get them. */
export const NOTICE_OPERATIONS = {
  listNotices: {
    ...query,
    path: '/v1/notices',
    summary: 'List the account’s notices',
    description: 'Notices, the newest first, whether or not there is a target for them.',
    parameters: [LIMIT, CURSOR, NOTICE_STATE, noticeKind(ACCOUNT_NOTICE_KINDS)],
    answers: { 200: { description: 'A page of notices.', content: json(page(ref('Notice'))) } },
  },
  listNoticeTargets: {
    ...query,
    path: '/v1/notices/targets',
    summary: 'List the targets of the account’s notices',
    answers: TARGET_LIST,
  },
  createNoticeTarget: {
    ...command,
    path: '/v1/notices/targets',
    summary: 'Add a target for the account’s notices',
    description:
      'A target is a webhook, signed like callbacks; a mailbox of a user of the account who has signed in by OpenID Connect; or Slack, or anything that takes the same messages. There are up to 10. A target gets notices of conditions that begin from then on, and repeated notices of those that last.',
    body: {
      content: json(object(targetFields(ACCOUNT_NOTICE_KINDS)), {
        medium: 'webhook',
        address: 'https://example.com/notices',
        kinds: ['low_balance'],
      }),
    },
    answers: MADE,
    refusals: [409],
  },
  updateNoticeTarget: {
    ...command,
    method: 'patch',
    path: '/v1/notices/targets/{target_id}',
    summary: 'Change which notices a target gets',
    description: 'Fields that are absent stay as they are. Another address is another target.',
    body: { content: json(object(changedTargetFields(ACCOUNT_NOTICE_KINDS)), { kinds: ['low_balance'] }) },
    answers: CHANGED,
    refusals: [404, 409],
  },
  removeNoticeTarget: {
    ...command,
    method: 'delete',
    path: '/v1/notices/targets/{target_id}',
    summary: 'Remove a target',
    description: 'Messages that are still on their way to it are not sent.',
    answers: REMOVED,
    refusals: [404, 409],
  },
  testNoticeTarget: {
    ...command,
    path: '/v1/notices/targets/{target_id}/test',
    summary: 'Send a test to a target',
    description:
      'The test is sent like any notice, within seconds. One address gets one test in 10 seconds, after the previous test has ended, and 100 tests a day (429).',
    answers: TESTED,
    refusals: [404, 409],
  },
  getNoticeSettings: {
    ...query,
    path: '/v1/notices/settings',
    summary: 'Read the thresholds of the account’s notices',
    answers: { 200: { description: 'What counts.', content: settings } },
  },
  updateNoticeSettings: {
    ...command,
    method: 'patch',
    path: '/v1/notices/settings',
    summary: 'Set the thresholds of the account’s notices',
    description: 'Fields that are absent stay as they are. Counts from the next look on, within 15 seconds.',
    body: { content: json(object(SETTING_FIELDS), { low_balance: 20, repeat_minutes: null }) },
    answers: { 200: { description: 'What counts now.', content: settings } },
    refusals: [409],
  },
} satisfies Record<string, Operation>;
