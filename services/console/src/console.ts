import type { Logger } from '@mediagate/host';
import type { Identity } from '@mediagate/identity';
import type { QueueViews } from '@mediagate/queue';
import type { RequestHandler } from 'express';
import type { ProcessHealth } from './health/probe-process';
import type { ProvenCookie } from './oidc/proven-cookie';
import type { Provider } from './oidc/provider';
import type { Cookie } from './session/cookie';
import type { KnownDevices } from './session/known-devices';
import type { SignInLimit } from './session/sign-in-limit';

/** The parts of the console, opened once in its process. */
export interface Console extends Identity {
  logger: Logger;
  queues: Pick<QueueViews, 'queues'>;
  probeProcesses(): Promise<ProcessHealth[]>;
  /** Pass requests on to the gateway: those that callers may make, and those that operators may make. */
  gateway: Record<'account' | 'catalogue' | 'openai' | 'operator' | 'files', RequestHandler>;
  /** Where callers reach the gateway. */
  gatewayUrl: string;
  mediaOrigins: readonly string[];
  /** Where browsers reach the console; absent: plain http, on loopback. */
  publicUrl?: string | undefined;
  trustedProxies: number;
  /** The directory of the page's build. */
  pageDirectory: string;
  /** The cookie of the session. */
  cookie: Cookie;
  /** The cookie of browsers in which somebody has signed in before. */
  deviceCookie: Cookie;
  devices: KnownDevices;
  /** Slows guesses at passwords, and at the user's own, which a browser left open would allow. */
  limit: SignInLimit;
  /** The provider that signs users in elsewhere; absent: there is none. */
  oidc?: Oidc | undefined;
}

export interface Oidc {
  provider: Provider;
  /** Has what the attempt needs, for as long as the user is at the provider. */
  attemptCookie: Cookie;
  provenCookie: ProvenCookie;
}
