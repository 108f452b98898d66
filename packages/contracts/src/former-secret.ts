/**
 * The secret that is in use, and behind it the one that still counts beside it.
 *
 * @throws Error where both are the same: the change would be thought made.
 */
export function withFormer(name: string, secret: string, former: string | undefined): [string, ...string[]] {
  if (former === secret)
    throw new Error(`${name} is the same as the value before it: make a new one, or remove the former`);
  return former === undefined ? [secret] : [secret, former];
}
