import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { type PinnedConnection, pinnedConnector } from './pinned-connector';
import { exchangePost, type PostedAnswer, type PostRequest } from './post-exchange';

export interface ConnectionLife {
  /** Unused, it is closed after this. Servers keep theirs for 5 s or more, most of them. */
  idleMs: number;
  /** From its opening: a name that leads elsewhere by now is followed after this at the latest. */
  maxAgeMs: number;
  maxRequests: number;
}

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * A connection to an address that was judged when it was opened, for one request at a time. It is never opened anew: its next opening
 * would be to an address that nobody has judged.
 */
export class PostConnection {
  /** Scheme, host and port: what its requests have in common, and its TLS names. */
  readonly origin: string;
  readonly #life: ConnectionLife;
  readonly #addresses: readonly string[];
  readonly #client: Client;
  readonly #openedAt = performance.now();
  #usedAt = this.#openedAt;
  #socket: Socket | undefined;
  #peerAddress = '';
  #requests = 0;
  #bytesBefore = 0;
  #isRetired = false;

  constructor(place: Omit<PinnedConnection, 'onPeer'>, life: ConnectionLife, onClose: () => void) {
    this.origin = place.target.url.origin;
    this.#addresses = place.addresses;
    this.#life = life;
    this.#client = new Client(this.origin, {
      connect: this.#connectOnce(place),
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining: 1,
      keepAliveTimeout: life.idleMs,
      keepAliveMaxTimeout: life.idleMs,
      // The signal of each request is the one clock. The client's own run per read and restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('disconnect', onClose);
  }

  /** Where it goes; empty until it is open. */
  get peerAddress(): string {
    return this.#peerAddress;
  }

  /** Whether it may carry another request, now that it is idle. */
  get isUsable(): boolean {
    const isOpen = this.#socket !== undefined && !this.#socket.destroyed;
    const { maxAgeMs, idleMs, maxRequests } = this.#life;
    const now = performance.now();
    // By the clock, too: the client's timers are late where the machine is busy.
    const isYoung = now - this.#openedAt < maxAgeMs && now - this.#usedAt < idleMs;
    return isOpen && isYoung && !this.#isRetired && this.#requests < maxRequests;
  }

  /** Not one byte has come back for the request that is, or was, under way. */
  get isSilent(): boolean {
    return (this.#socket?.bytesRead ?? 0) === this.#bytesBefore;
  }

  /** Whether it leads to these, or will, once it is open. */
  leadsTo(addresses: readonly string[]): boolean {
    const places = this.#peerAddress === '' ? this.#addresses : [this.#peerAddress];
    return places.every((place) => addresses.includes(place));
  }

  async post(request: PostRequest): Promise<PostedAnswer> {
    this.#requests += 1;
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    const answer = await exchangePost((options, handler) => this.#client.dispatch(options, handler), request);
    this.#usedAt = performance.now();
    return answer;
  }

  /** No further request: its name leads elsewhere. What is under way goes on. */
  retire(): void {
    this.#isRetired = true;
  }

  close(): void {
    void this.#client.destroy();
  }

  #connectOnce(place: Omit<PinnedConnection, 'onPeer'>): buildConnector.connector {
    const onPeer = (address: string) => {
      this.#peerAddress = address;
    };
    const connect = pinnedConnector({ ...place, onPeer });
    let isOpened = false;
    return (options, callback) => {
      if (isOpened) {
        callback(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }), null);
        return;
      }
      isOpened = true;
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error === null) this.#socket = socket;
        callback(...result);
      });
    };
  }
}
