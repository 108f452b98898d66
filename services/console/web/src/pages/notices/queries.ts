import { dataQuery } from '../../api/data-query.ts';
import type { components } from '../../api/generated/api.ts';
import type { Audience } from './audience.ts';

export type Notice = components['schemas']['Notice'];
export type Target = components['schemas']['NoticeTarget'];
export type Settings = components['schemas']['NoticeSettings'] &
  Partial<components['schemas']['OperatorNoticeSettings']>;

/** Roots of the queries of this page. */
export const NOTICES = 'notices';
export const TARGETS = 'notice-targets';
export const SETTINGS = 'notice-settings';

const REFRESH_MS = 15_000;
/** While a message is on its way. */
const FOLLOW_MS = 2_000;

export function targetsQuery({ root }: Audience) {
  return dataQuery<Target[]>([TARGETS, root], `${root}/targets`, {
    refetchInterval: ({ state: { data } }) => (data?.some(isPending) ? FOLLOW_MS : REFRESH_MS),
  });
}

export function settingsQuery({ root }: Audience) {
  return dataQuery<Settings>([SETTINGS, root], `${root}/settings`);
}

function isPending({ last_message: message }: Target): boolean {
  return message?.state === 'pending';
}
