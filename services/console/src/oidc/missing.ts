import { type Claims, claimAt } from './claims';

/** The reason in a provider's answer for which somebody is not let in. */
export type Missing = 'no_address' | 'address_not_verified' | 'no_role';

export interface Lack {
  missing: Missing;
  /** For the operator: the claim, and the names of those that the provider sent. No values. */
  reason: string;
}

/**
 * @param silence why the provider, asked about the user, said nothing more.
 * @param roleClaim is set where roles decide and none was found.
 */
export function lackOf(
  { claims, silence }: { claims: Claims; silence?: string | undefined },
  email: string | undefined,
  roleClaim: string | undefined,
): Lack | undefined {
  const unanswered = silence === undefined ? '' : `, and did not answer about the user: ${silence}`;
  const sent = `the provider sent ${Object.keys(claims).join(', ')}${unanswered}`;
  if (roleClaim !== undefined) return { missing: 'no_role', reason: `${roleFault(claims, roleClaim)}; ${sent}` };
  if (email !== undefined) return undefined;
  if (typeof claims['email'] !== 'string') return { missing: 'no_address', reason: `email is missing; ${sent}` };
  const isAbsent = claims['email_verified'] === undefined;
  const reason = `email_verified is ${isAbsent ? 'missing' : 'not true'}, and OIDC_TRUST_EMAIL is not set; ${sent}`;
  return { missing: 'address_not_verified', reason };
}

function roleFault(claims: Claims, roleClaim: string): string {
  if (claimAt(claims, roleClaim) !== undefined) return `${roleClaim} has no value that OIDC_ROLES names`;
  // A distributed claim of OpenID Connect: of groups it means that they are too many for a token.
  const isElsewhere = claimAt(claims['_claim_names'], roleClaim) !== undefined;
  return `${roleClaim} is missing${isElsewhere ? ': the provider keeps it elsewhere (_claim_names)' : ''}`;
}
