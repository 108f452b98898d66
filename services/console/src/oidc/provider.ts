import type { ProvenIdentity } from '@mediagate/identity';
import * as openid from 'openid-client';
import { type RoleMap, rightsOfClaim } from './role-map';

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** The claim that `roles` maps; undefined: users are invited. */
  roleClaim: string | undefined;
  roles: RoleMap;
}

/** The secrets that the browser keeps, sealed, while its user is at the provider. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider that signs users in elsewhere, by OpenID Connect: authorization code with PKCE, state and nonce. */
export interface Provider {
  begin(callbackUrl: string): Promise<{ url: string; attempt: SignInAttempt }>;
  /** @throws Error for an answer that is not the provider's to that attempt. */
  finish(answeredUrl: URL, attempt: SignInAttempt): Promise<ProvenIdentity>;
}

const TIMEOUT_SECONDS = 10;

export function createProvider(options: ProviderOptions): Provider {
  const { issuer, clientId, clientSecret, scopes, roleClaim, roles } = options;
  let discovered: Promise<openid.Configuration> | undefined;
  const discover = async (): Promise<openid.Configuration> => {
    const server = new URL(issuer);
    const execute = isLoopback(server) ? [openid.allowInsecureRequests] : [];
    return openid.discovery(server, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS });
  };
  /** Asked once; a failure is forgotten, so that the next sign-in asks again. */
  const configuration = () => {
    discovered ??= discover().catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  };
  return {
    async begin(callbackUrl) {
      const attempt = newAttempt();
      const url = openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: callbackUrl,
        scope: scopes,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },
    async finish(answeredUrl, { state, nonce, verifier }) {
      const config = await configuration();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(config, answeredUrl, checks);
      const claims = await allClaims(config, tokens);
      const rights = roleClaim === undefined ? undefined : (rightsOfClaim(roles, claims[roleClaim]) ?? 'none');
      return { ...identityOf(claims), rights };
    },
  };
}

function newAttempt(): SignInAttempt {
  return {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
  };
}

/** Some providers keep the address out of the token, and tell it where they are asked about the user. */
async function allClaims(
  config: openid.Configuration,
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
): Promise<Record<string, unknown> & { iss: string; sub: string }> {
  const claims = tokens.claims();
  if (!claims) throw new Error('the provider sent no ID token');
  if (claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await openid.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
}

/** An address counts only where the provider vouches for it: else anybody could take that of an invited user. */
function identityOf(claims: Record<string, unknown> & { iss: string; sub: string }): Omit<ProvenIdentity, 'rights'> {
  const { iss, sub, email, name } = claims;
  const isVerified = claims['email_verified'] === true && typeof email === 'string';
  return {
    identity: `${iss} ${sub}`,
    email: isVerified ? email : undefined,
    name: typeof name === 'string' ? name : undefined,
  };
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
