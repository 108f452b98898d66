import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Claims = Record<string, unknown>;

/** A provider's answers, by its documentation. */
export interface Recorded {
  /** `token_endpoint_auth_methods_supported` of its metadata; undefined: they do not say. */
  methods?: string[];
  idToken: Claims;
  userinfo?: Claims;
  /** The status of its answer about the user; 200 by default. */
  userinfoStatus?: number;
}

const SUB = 'subject-1';
const CLIENT_ID = 'console';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' };

/** Stands in a provider's place, on loopback, and signs in at once. It notes how the client showed its secret. */
export async function startRecorded({ methods, idToken, userinfo, userinfoStatus = 200 }: Recorded) {
  const shown: string[] = [];
  let nonce = '';
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    const body = JSON.stringify(await answerTo(pathname, request));
    if (pathname === '/userinfo') response.statusCode = userinfoStatus;
    response.setHeader('content-type', 'application/json').end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answerTo(pathname: string, request: IncomingMessage): Promise<unknown> {
    if (pathname === '/jwks') return { keys: [KEY] };
    if (pathname === '/userinfo') return { sub: SUB, ...userinfo };
    if (pathname !== '/token') return metadata();
    const fields = new URLSearchParams(await text(request));
    shown.push(
      request.headers.authorization?.startsWith('Basic ') ? 'header' : fields.has('client_secret') ? 'body' : '',
    );
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: CLIENT_ID, sub: SUB, iat: seconds, exp: seconds + 300, nonce, ...idToken };
    return { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: signed(claims) };
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...(userinfo && { userinfo_endpoint: `${issuer}/userinfo` }),
    ...(methods && { token_endpoint_auth_methods_supported: methods }),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });

  return {
    issuer,
    shown,
    /** The address that the provider leads back to, after the user signed in at `begun`. */
    signIn(begun: string): URL {
      const asked = new URL(begun).searchParams;
      nonce = asked.get('nonce') ?? '';
      return new URL(
        `${asked.get('redirect_uri')}?${new URLSearchParams({ code: 'code', state: asked.get('state') ?? '' })}`,
      );
    },
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function signed(claims: Claims): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${part({ alg: 'RS256', kid: 'k', typ: 'JWT' })}.${part(claims)}`;
  return `${head}.${createSign('RSA-SHA256').update(head).sign(privateKey).toString('base64url')}`;
}
