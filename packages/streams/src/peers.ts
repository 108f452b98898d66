import type { Socket } from 'node:net';
import { audioHead, type FrameHandler, FrameReader, messageFrame } from './frames';
import type { StreamTiming } from './timing';

export interface PeerHandler extends FrameHandler {
  /** The other process is gone, or has ended the connection. */
  closed(): void;
}

/** One end of a connection between a worker and an API process, which carries one answer. */
export class Peer {
  readonly #socket: Socket;
  readonly #reader: FrameReader;
  receivedAt = performance.now();
  /** Audio of this turn of the event loop, which goes out as one frame. */
  #unsent: Buffer[] = [];

  /** @param onError of a connection that breaks, or speaks something else; it is closed then. */
  constructor(socket: Socket, handler: PeerHandler, onError: (error: Error) => void) {
    this.#socket = socket;
    this.#reader = new FrameReader(handler);
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => {
      this.receivedAt = performance.now();
      try {
        this.#reader.read(data);
      } catch (error) {
        onError(error as Error);
        socket.destroy();
      }
    });
    socket.on('error', onError);
    socket.once('close', () => handler.closed());
  }

  onClose(run: () => void): void {
    this.#socket.once('close', run);
  }

  limitMessages(bytes: number): void {
    this.#reader.maxMessageBytes = bytes;
  }

  send(message: object): void {
    this.#sendUnsent();
    if (this.#socket.writable) this.#socket.write(messageFrame(message));
  }

  /** What comes in one turn of the event loop goes out at its end, by one call of the system. */
  sendAudio(bytes: Buffer): void {
    if (this.#unsent.push(bytes) === 1) process.nextTick(() => this.#sendUnsent());
  }

  /** Where bytes still wait the other end knows that this one lives. */
  sendHeartbeat(): void {
    if (this.#socket.writableLength === 0) this.send({ kind: 'heartbeat', now: performance.now() });
  }

  /** Nothing more is sent. */
  end(): void {
    this.#sendUnsent();
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #sendUnsent(): void {
    const parts = this.#unsent;
    if (parts.length === 0) return;
    this.#unsent = [];
    if (!this.#socket.writable) return;
    this.#socket.cork();
    this.#socket.write(audioHead(parts));
    for (const part of parts) this.#socket.write(part);
    this.#socket.uncork();
  }
}

/** The open connections of a process, each with a heartbeat; those that are silent for `silenceMs` are closed. */
export class Peers {
  readonly #timing: StreamTiming;
  readonly #peers = new Set<Peer>();
  readonly #heartbeats: NodeJS.Timeout;
  #checkedAt = performance.now();

  constructor(timing: StreamTiming) {
    this.#timing = timing;
    this.#heartbeats = setInterval(() => this.#exchangeHeartbeats(), timing.workerHeartbeatMs);
  }

  add(peer: Peer): void {
    this.#peers.add(peer);
    peer.onClose(() => this.#peers.delete(peer));
  }

  close(): void {
    clearInterval(this.#heartbeats);
    for (const peer of this.#peers) peer.destroy();
  }

  #exchangeHeartbeats(): void {
    const { workerHeartbeatMs, silenceMs } = this.#timing;
    const now = performance.now();
    // After a pause of this very process, what came meanwhile is still unread: nobody is silent yet.
    const wasPaused = now - this.#checkedAt > workerHeartbeatMs + silenceMs / 2;
    this.#checkedAt = now;
    for (const peer of this.#peers) {
      if (wasPaused) peer.receivedAt = now;
      if (now - peer.receivedAt > silenceMs) peer.destroy();
      else peer.sendHeartbeat();
    }
  }
}
