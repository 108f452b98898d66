/** A user's row for the audit log: without what lets anybody in. */
export function userSnapshot(alias: string): string {
  const columns = ['id', 'email', 'name', 'kind', 'role', 'account_id', 'credential_id', 'disabled_at'];
  const pairs = columns.map((column) => `'${column}', ${alias}.${column}`);
  return `jsonb_build_object(${pairs.join(', ')}, 'totp', ${alias}.totp_confirmed_at is not null)`;
}
