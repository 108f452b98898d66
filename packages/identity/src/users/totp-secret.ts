import type { Sealer } from '../sealing/sealer';

export function sealTotpSecret(sealer: Sealer, userId: string, secret: string): Buffer<ArrayBuffer> {
  return sealer.seal(secret, placeOf(userId));
}

/** @throws Error where another secret sealed it: nobody with a second factor could sign in then, and the operator must know. */
export function openTotpSecret(
  sealer: Sealer,
  { id, totpSecret }: { id: string; totpSecret: Uint8Array | null },
): string | undefined {
  if (totpSecret === null) return undefined;
  const secret = sealer.open(totpSecret, placeOf(id));
  if (secret === undefined) throw new Error(`the second factor of ${id} was sealed under another CONSOLE_SECRET`);
  return secret;
}

function placeOf(userId: string): string {
  return `users/${userId}/totp`;
}
