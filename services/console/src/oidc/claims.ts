/** The provider's statements about somebody, by name. */
export type Claims = Readonly<Record<string, unknown>>;

/** The value under a claim's name, or along a path as `realm_access.roles`. A name may have dots of its own, as `https://example.com/roles`. */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const fields = claims as Claims;
  if (Object.hasOwn(fields, path)) return fields[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const found = claimAt(fields[path.slice(0, dot)], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The values of a claim of roles or groups: a text, a list of texts, or an object whose names are the values. No text is split. */
export function valuesOf(claim: unknown): string[] {
  if (typeof claim === 'object' && claim !== null && !Array.isArray(claim)) return Object.keys(claim);
  return [claim]
    .flat()
    .flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : []));
}

/** The address, if the provider vouches for it or the operator trusts all of the provider's: else anybody could take that of an invited user. */
export function provenEmail(claims: Claims, isTrusted: boolean): string | undefined {
  const { email, email_verified: isVerified } = claims;
  // Some providers write it as a text.
  return typeof email === 'string' && (isTrusted || isVerified === true || isVerified === 'true') ? email : undefined;
}

/** Joins what the ID token says with what the provider says where it is asked; a vouching counts for the address beside it alone. */
export function joinClaims<Token extends Claims>(token: Token, asked: Claims): Token {
  const isSameAddress = token['email'] === undefined || token['email'] === asked['email'];
  const { email_verified: isVerified, ...rest } = asked;
  return { ...rest, ...(isSameAddress && { email_verified: isVerified }), ...token };
}
