import type { components } from '../../api/generated/api.ts';

type Notice = components['schemas']['Notice'];
type About = Pick<Notice, 'subject' | 'account_id'>;

/** The pages where a kind of notice is put right, by operators and, if it concerns their account, by holders. */
interface NoticeKind {
  ofOperators(about: About): string;
  ofHolders?: string;
}

const BY_KIND = {
  low_balance: { ofOperators: ({ account_id }) => `/accounts/${account_id}`, ofHolders: '/ledger' },
  key_quota: {
    ofOperators: ({ account_id, subject }) => `/accounts/${account_id}?tab=keys&key=${subject}`,
    ofHolders: '/keys',
  },
  callbacks_failing: {
    ofOperators: ({ account_id }) => `/deliveries?account_id=${account_id}`,
    ofHolders: '/callbacks',
  },
  // A model's id follows on the channel's where only that is passed over.
  channel_sick: { ofOperators: ({ subject }) => `/channels/${subject.replace(/ .*$/, '')}` },
  names_unlisted: { ofOperators: ({ subject }) => `/channels/${subject}` },
  // The list of processes says which of them are not ready.
  storage_failing: { ofOperators: () => '/' },
  audit_violation: { ofOperators: () => '/books' },
  books_waiting: { ofOperators: () => '/books' },
} as const satisfies Record<string, NoticeKind>;

export type Kind = keyof typeof BY_KIND;
export const KINDS = Object.keys(BY_KIND) as Kind[];
export const KINDS_OF_HOLDERS = KINDS.filter((kind) => 'ofHolders' in BY_KIND[kind]);

/** A kind that only a newer release knows leads nowhere else. */
export function pageOfNotice({ kind, ...about }: About & Pick<Notice, 'kind'>, isOperator: boolean): string {
  const known: NoticeKind | undefined = BY_KIND[kind as Kind];
  return (isOperator ? known?.ofOperators(about) : known?.ofHolders) ?? '/notices';
}
