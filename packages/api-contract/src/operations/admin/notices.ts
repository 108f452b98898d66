import { NOTICE_KINDS } from '@mediagate/contracts';
import type { Operation } from '../../operation';
import { json, object, page, ref, wrapped } from '../../schemas/build';
import { changedTargetFields, OPERATOR_SETTING_FIELDS, targetFields } from '../../schemas/notices';
import { CURSOR, LIMIT } from '../access';
import { CHANGED, MADE, NOTICE_STATE, noticeKind, REMOVED, TARGET_LIST, TESTED } from '../notices';
import { CHANGE, READ, REASON } from './access';

const command = { ...CHANGE, role: 'admin' } as const;
const reason = { body: { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'on call' }) } };
const settings = json(wrapped(ref('OperatorNoticeSettings')));

/** Operations on the notices to operators, and on the targets that get them. */
export const OPERATOR_NOTICE_OPERATIONS = {
  adminListNotices: {
    ...READ,
    path: '/admin/v1/notices',
    summary: 'List the notices for operators',
    description: 'Notices, the newest first, whether or not there is a target for them.',
    parameters: [
      LIMIT,
      CURSOR,
      NOTICE_STATE,
      noticeKind(NOTICE_KINDS),
      { in: 'query', name: 'account_id', description: 'Only about this account.', schema: { type: 'string' } },
    ],
    answers: { 200: { description: 'A page of notices.', content: json(page(ref('Notice'))) } },
  },
  adminListNoticeTargets: {
    ...READ,
    path: '/admin/v1/notices/targets',
    summary: 'List the targets of operators’ notices',
    answers: TARGET_LIST,
  },
  adminCreateNoticeTarget: {
    ...command,
    path: '/admin/v1/notices/targets',
    summary: 'Add a target for operators’ notices',
    description:
      'A target is a webhook with a secret of its own, which only this answer shows; a mailbox; or Slack, or anything that takes the same messages. There are up to 10. A target gets notices of conditions that begin from then on, and repeated notices of those that last.',
    body: {
      content: json(object({ ...targetFields(NOTICE_KINDS), 'reason?': REASON }), {
        medium: 'email',
        address: 'operators@example.com',
      }),
    },
    answers: MADE,
  },
  adminUpdateNoticeTarget: {
    ...command,
    method: 'patch',
    path: '/admin/v1/notices/targets/{target_id}',
    summary: 'Change which notices a target gets',
    description: 'Fields that are absent stay as they are. Another address is another target.',
    body: {
      content: json(object({ ...changedTargetFields(NOTICE_KINDS), 'reason?': REASON }), { kinds: ['channel_sick'] }),
    },
    answers: CHANGED,
    refusals: [404, 409],
  },
  adminRemoveNoticeTarget: {
    ...command,
    ...reason,
    path: '/admin/v1/notices/targets/{target_id}/remove',
    summary: 'Remove a target',
    description: 'Messages that are still on their way to it are not sent.',
    answers: REMOVED,
  },
  adminTestNoticeTarget: {
    ...command,
    ...reason,
    path: '/admin/v1/notices/targets/{target_id}/test',
    summary: 'Send a test to a target',
    description:
      'The test is sent like any notice, within seconds. One address gets one test in 10 seconds, after the previous test has ended, and 100 tests a day (429).',
    answers: TESTED,
  },
  adminGetNoticeSettings: {
    ...READ,
    path: '/admin/v1/notices/settings',
    summary: 'Read the thresholds of operators’ notices',
    description: 'They also apply to accounts that have set none of their own.',
    answers: { 200: { description: 'What counts.', content: settings } },
  },
  adminUpdateNoticeSettings: {
    ...command,
    method: 'patch',
    path: '/admin/v1/notices/settings',
    summary: 'Set the thresholds of operators’ notices',
    description: 'Fields that are absent stay as they are. Counts from the next look on, within 15 seconds.',
    body: {
      content: json(object({ ...OPERATOR_SETTING_FIELDS, 'reason?': REASON }), { low_balance: 20, channel_minutes: 5 }),
    },
    answers: { 200: { description: 'What counts now.', content: settings } },
  },
} satisfies Record<string, Operation>;
