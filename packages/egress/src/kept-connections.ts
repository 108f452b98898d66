import { EgressError, toEgressError } from './egress-error';
import type { Network } from './exchange';
import { type ConnectionLife, PostConnection } from './post-connection';
import type { PostedAnswer, PostRequest } from './post-exchange';
import { findAddresses } from './resolver';
import type { Target } from './url-policy';

export interface KeptConnectionLimits extends ConnectionLife {
  /** Idle ones of one origin. */
  maxIdlePerOrigin: number;
  /** Idle ones in total. */
  maxIdle: number;
}

const LIMITS: KeptConnectionLimits = {
  idleMs: 3_000,
  maxAgeMs: 30_000,
  maxRequests: 1_000,
  maxIdlePerOrigin: 16,
  maxIdle: 256,
};

export type KeptPost = PostedAnswer & { peerAddress: string };

/**
 * Connections that carry one POST after another to the same origin: same scheme, host name, port, TLS name and judged address. One is
 * opened to addresses that were found and judged for it, and never leads anywhere else; what its name means by now is found out when
 * the next is opened, and closes those that lead elsewhere.
 */
export class KeptConnections {
  readonly #network: Network;
  readonly #limits: KeptConnectionLimits;
  /** Open ones, in use or idle, by origin. */
  readonly #open = new Map<string, Set<PostConnection>>();
  /** By origin, the one used last at the end, so that those beyond the need fall idle and close. */
  readonly #idle = new Map<string, PostConnection[]>();
  #idleCount = 0;

  constructor(network: Network, limits: Partial<KeptConnectionLimits> = {}) {
    this.#network = network;
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * One POST. Where a kept connection fails before a byte has come back, as one does that its server has closed meanwhile, the request is
   * sent once more, on a new one: a receiver may get it twice, as it may anyway. Throws EgressError.
   */
  async post(target: Target, request: PostRequest): Promise<KeptPost> {
    const kept = this.#takeIdle(target.url.origin);
    if (kept !== undefined) {
      try {
        return await this.#postBy(kept, request);
      } catch (error) {
        if (!isNetworkError(error) || !kept.isSilent) throw error;
      }
    }
    return this.#postBy(await this.#openFor(target, request.signal), request);
  }

  async #postBy(connection: PostConnection, request: PostRequest): Promise<KeptPost> {
    try {
      const answer = await connection.post(request);
      this.#giveBack(connection, answer.isWhole);
      return { ...answer, peerAddress: connection.peerAddress };
    } catch (error) {
      this.#close(connection);
      throw request.signal.aborted ? request.signal.reason : toEgressError(error);
    }
  }

  async #openFor(target: Target, signal: AbortSignal): Promise<PostConnection> {
    const { origin } = target.url;
    const addresses = await this.#judgedAddresses(target, signal);
    this.#retireOthers(origin, addresses);
    const place = { target, addresses, policy: this.#network.policy, signal };
    const connection = new PostConnection(place, this.#limits, () => this.#close(connection));
    const open = this.#open.get(origin) ?? new Set();
    this.#open.set(origin, open.add(connection));
    return connection;
  }

  async #judgedAddresses(target: Target, signal: AbortSignal): Promise<string[]> {
    const { policy, resolve } = this.#network;
    try {
      return await findAddresses(target, policy, { resolve, signal });
    } catch (error) {
      this.#retireOthers(target.url.origin, []);
      throw error;
    }
  }

  /** Retires connections that lead elsewhere. Requests under way on them go on, to the address that was judged. */
  #retireOthers(origin: string, addresses: readonly string[]): void {
    for (const connection of this.#open.get(origin) ?? []) {
      if (!connection.leadsTo(addresses)) connection.retire();
    }
    for (const idle of [...(this.#idle.get(origin) ?? [])]) if (!idle.isUsable) this.#close(idle);
  }

  #takeIdle(origin: string): PostConnection | undefined {
    for (;;) {
      const connection = this.#idle.get(origin)?.at(-1);
      if (connection === undefined) return undefined;
      this.#leaveIdle(connection);
      if (connection.isUsable) return connection;
      this.#close(connection);
    }
  }

  #giveBack(connection: PostConnection, isWhole: boolean): void {
    const idle = this.#idle.get(connection.origin) ?? [];
    const isFull = this.#idleCount >= this.#limits.maxIdle || idle.length >= this.#limits.maxIdlePerOrigin;
    if (!isWhole || isFull || !connection.isUsable) {
      this.#close(connection);
      return;
    }
    idle.push(connection);
    this.#idle.set(connection.origin, idle);
    this.#idleCount += 1;
  }

  #leaveIdle(connection: PostConnection): void {
    const idle = this.#idle.get(connection.origin) ?? [];
    const index = idle.lastIndexOf(connection);
    if (index === -1) return;
    idle.splice(index, 1);
    this.#idleCount -= 1;
    if (idle.length === 0) this.#idle.delete(connection.origin);
  }

  #close(connection: PostConnection): void {
    const open = this.#open.get(connection.origin);
    if (!open?.delete(connection)) return;
    if (open.size === 0) this.#open.delete(connection.origin);
    this.#leaveIdle(connection);
    connection.close();
  }
}

function isNetworkError(error: unknown): boolean {
  return error instanceof EgressError && error.reason === 'network';
}
