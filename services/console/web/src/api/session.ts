import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { request, setCsrf } from './request.ts';

export interface SessionUser {
  id: string;
  email: string;
  name: string;
  kind: 'operator' | 'account';
  role: string;
  account_id: string | null;
  account_name: string | null;
  totp: boolean;
}

export interface Session {
  user: SessionUser;
  csrf: string;
  /** Where programs reach the gateway. */
  gateway_url: string;
  expires_at: number;
}

export interface Credentials {
  email: string;
  /** The id of the user's account, or `operators`; absent: any of them where the password fits. */
  account?: string;
  password: string;
  totp?: string;
}

const FRESH_MS = 60_000;

/** Null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: FRESH_MS,
  retry: 1,
});

async function readSession(): Promise<Session | null> {
  try {
    return known(await request<{ data: Session }>('/session'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The ways to sign in beside the password: where a sign-in elsewhere begins, if there is one. */
export const methodsQuery = queryOptions({
  queryKey: ['session', 'methods'],
  queryFn: async () => (await request<{ data: { oidc: string | null } }>('/session/methods')).data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Where somebody may sign in, or join. */
export interface SignInPlace {
  /** Its id, or `operators`. */
  account: string;
  /** Null: operators. The account's holder has chosen it. */
  name: string | null;
  /** False: they are invited. */
  joined: boolean;
  invited_at: number;
  /** Null: it is not known by whom. */
  invited_by: string | null;
}

/** The accounts of the user whom the provider has let in, in this browser: those they are a user of, and those that invited them. */
export const placesQuery = (account: string | null) =>
  queryOptions({
    queryKey: ['session', 'oidc', 'accounts', account],
    queryFn: async () => (await request<{ data: SignInPlace[] }>(`/session/oidc/accounts${queryOf(account)}`)).data,
  });

function queryOf(account: string | null): string {
  return account === null ? '' : `?${new URLSearchParams({ account })}`;
}

export interface ElsewhereChoice {
  /** Null: the only one that they are a user of. */
  account: string | null;
  /** The user has seen who invites them. */
  joins: boolean;
}

/** The address at which the browser goes on. */
export async function beginElsewhere({ account, joins }: ElsewhereChoice): Promise<string> {
  const body = { joins, ...(account !== null && { account }) };
  return (await request<{ data: { url: string } }>('/session/oidc', { method: 'POST', body })).data.url;
}

export async function signIn(credentials: Credentials): Promise<Session> {
  return known(await request<{ data: Session }>('/session', { method: 'POST', body: credentials }));
}

/** Signs in by the token of a link that serves once. */
export async function signInOnce(token: string): Promise<Session> {
  return known(await request<{ data: Session }>('/session/one-time', { method: 'POST', body: { token } }));
}

export async function signOut(): Promise<void> {
  await request('/session', { method: 'DELETE' });
  setCsrf('');
}

function known({ data }: { data: Session }): Session {
  setCsrf(data.csrf);
  return data;
}
