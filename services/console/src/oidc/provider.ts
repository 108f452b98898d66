import type { ProvenIdentity } from '@mediagate/identity';
import * as openid from 'openid-client';
import { type Claims, claimAt, joinClaims, provenEmail } from './claims';
import { type Lack, lackOf } from './missing';
import { type RoleMap, rightsOfClaim } from './role-map';

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** The claim that `roles` maps, or a path to it; undefined: users are invited. */
  roleClaim: string | undefined;
  roles: RoleMap;
  /** The issuer's addresses count although it does not vouch for them. */
  trustsEmail: boolean;
}

/** Somebody whom the provider has let in, and what its answer lacks. */
export interface SignedIn {
  who: ProvenIdentity;
  lack: Lack | undefined;
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
  /** @throws SignInRefused, and Error for an answer that is not the provider's to that attempt. */
  finish(answeredUrl: URL, attempt: SignInAttempt): Promise<SignedIn>;
}

const TIMEOUT_SECONDS = 10;

export function createProvider(options: ProviderOptions): Provider {
  let discovered: Promise<openid.Configuration> | undefined;
  /** Asked once; a failure is forgotten, so that the next sign-in asks again. */
  const configuration = () => {
    discovered ??= discover(options).catch((error: unknown) => {
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
        scope: options.scopes,
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
      const tokens = await openid.authorizationCodeGrant(config, answeredUrl, checks).catch((error: unknown) => {
        throw refusalIn(error);
      });
      return signedIn(options, await allClaims(config, tokens, neededBy(options)));
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<openid.Configuration> {
  const server = new URL(issuer);
  const execute = isLoopback(server) ? [openid.allowInsecureRequests] : [];
  const proof = proofBy(clientSecret);
  return openid.discovery(server, clientId, clientSecret, proof, { execute, timeout: TIMEOUT_SECONDS });
}

/** Claims without which somebody may not be let in. */
function neededBy({ trustsEmail, roleClaim }: ProviderOptions): string[] {
  return ['email', ...(trustsEmail ? [] : ['email_verified']), ...(roleClaim === undefined ? [] : [roleClaim])];
}

function signedIn({ roleClaim, roles, trustsEmail }: ProviderOptions, { claims, silence }: Answers): SignedIn {
  const { iss, sub, name } = claims;
  const email = provenEmail(claims, trustsEmail);
  const rights = roleClaim === undefined ? undefined : (rightsOfClaim(roles, claimAt(claims, roleClaim)) ?? 'none');
  const who = { identity: `${iss} ${sub}`, email, name: typeof name === 'string' ? name : undefined };
  return {
    who: { ...who, rights },
    lack: lackOf({ claims, silence }, email, rights === 'none' ? roleClaim : undefined),
  };
}

function newAttempt(): SignInAttempt {
  return {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
  };
}

/** The client's secret goes where the provider's metadata say; where they say nothing, in the header (OpenID Connect Discovery 1.0, section 3). */
function proofBy(clientSecret: string): openid.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(clientSecret), openid.ClientSecretBasic(clientSecret)];
  return (server, ...request) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (takesBody ? inBody : inHeader)(server, ...request);
  };
}

interface Answers {
  claims: Claims & { iss: string; sub: string };
  /** Why the provider said nothing more where it was asked about the user. */
  silence?: string;
}

/**
 * Some providers keep the address, or groups, out of the token, and tell them where they are asked about the user. One who came before needs
 * no address: where the provider does not answer, they are let in by what the token says.
 */
async function allClaims(
  config: openid.Configuration,
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
  needed: readonly string[],
): Promise<Answers> {
  const claims = tokens.claims();
  if (!claims) throw new Error('the provider sent no ID token');
  const isWhole = needed.every((path) => claimAt(claims, path) !== undefined);
  if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return { claims };
  try {
    return { claims: joinClaims(claims, await openid.fetchUserInfo(config, tokens.access_token, claims.sub)) };
  } catch (error) {
    return { claims, silence: wordsOf(error) };
  }
}

/** The provider said no to the user or to this console, which trying again does not change. Its own words are the cause. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/** A code that was used before, or came late, is no refusal: who begins again gets another. */
function refusalIn(error: unknown): unknown {
  if (error instanceof openid.WWWAuthenticateChallengeError) {
    return new SignInRefused(error.message, { cause: error.cause[0]?.parameters });
  }
  const isAnswer = error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError;
  if (!isAnswer || error.error === 'invalid_grant') return error;
  const { error: code, error_description: description = '' } = error;
  return new SignInRefused(error.message, { cause: { error: code, error_description: description } });
}

/** An error's message, and its cause's: that of a request that failed says nothing itself. */
function wordsOf(error: unknown): string {
  const { message, cause } = refusalIn(error) as Error;
  const { error: code, message: why, status } = (cause ?? {}) as { error?: string; message?: string; status?: number };
  return [message, code ?? status ?? why].filter((part) => part !== undefined).join(': ');
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
