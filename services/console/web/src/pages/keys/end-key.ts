interface KeyEnding {
  /** `rotate`: the key gets a new secret; `revoke`: it ends. */
  action: 'rotate' | 'revoke';
  /** The account whose keys operators manage; undefined: they are the reader's own. */
  accountId: string | undefined;
}

/** The request that ends a key or its secret. */
export function endingOf(id: string, { action, accountId }: KeyEnding): { method: 'DELETE' | 'POST'; path: string } {
  const path = `${keysPath(accountId)}/${id}`;
  if (accountId === undefined && action === 'revoke') return { method: 'DELETE', path };
  return { method: 'POST', path: `${path}/${action}` };
}

export function keysPath(accountId: string | undefined): string {
  return accountId === undefined ? '/v1/keys' : '/admin/v1/keys';
}
