import type { EarlyConnection, StreamClaim, StreamEnd, TaskTaker } from './outgoing-stream';
import type { Peer, PeerHandler } from './peers';
import { SentStream } from './sent-stream';
import type { DirectAnswer, DirectEntry, Handed } from './wire';

interface ApiConnectionDeps {
  /** The first answer; false: the connection is gone before it. */
  onWelcome(isWelcome: boolean): void;
  /** A stream on it has begun. */
  onBegin(claim: StreamClaim): void;
  onEnd(claim: StreamClaim): void;
  /** How old the time may be that a handed task comes with. */
  handedWithinMs: number;
  /** Undefined: nobody takes tasks in this process. */
  taker(): TaskTaker | undefined;
  /** How many connections of this process wait for a task. */
  idle(): number;
}

/** A connection to an API process: it carries the answer to one task at a time. */
export class ApiConnection implements PeerHandler {
  peer: Peer | undefined;
  readonly #deps: ApiConnectionDeps;
  #stream: SentStream | undefined;
  #isClosed = false;
  #isWelcome = false;
  #isKept = false;
  #isIdle = false;
  /** Who listens had gone before the stream was opened. */
  #goneEarly: StreamEnd | undefined;
  #onBusyOrClosed: (() => void) | undefined;

  constructor(deps: ApiConnectionDeps) {
    this.#deps = deps;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** It waits for a task. */
  get isIdle(): boolean {
    return this.#isIdle && !this.#isClosed;
  }

  /** The worker of the connection has claimed the task by itself. */
  begin(claim: StreamClaim): SentStream {
    const stream = this.#open(claim);
    this.peer?.send({ kind: 'begin', fence: claim.fence });
    if (this.#isClosed) stream.end('api_gone');
    return stream;
  }

  /**
   * Where it waits for a task: it does not any more. Resolves once the API process, which may have booked one for it, has handed that over or has
   * closed the connection.
   */
  leave(): Promise<void> {
    if (!this.isIdle) return Promise.resolve();
    this.peer?.send({ kind: 'leaving' });
    return new Promise((resolve) => {
      this.#onBusyOrClosed = resolve;
    });
  }

  receiveMessage(message: Record<string, unknown>): void {
    const answer = message as unknown as DirectAnswer;
    switch (answer.kind) {
      case 'welcome':
        this.#isWelcome = true;
        this.#isKept = answer.keeps === true;
        this.#deps.onWelcome(true);
        break;
      case 'acknowledged':
        this.#stream?.receiveAcknowledged(answer.bytes);
        break;
      case 'left':
      case 'gone':
        this.#loseListener(answer.kind === 'left' ? 'caller_left' : 'api_gone');
        break;
      case 'handed':
        this.#receiveTask(answer);
        break;
      case 'heartbeat':
        break;
      default:
        answer satisfies never;
    }
  }

  receiveAudio(): void {
    throw new Error('audio for a worker');
  }

  closed(): void {
    this.#isClosed = true;
    if (!this.#isWelcome) this.#deps.onWelcome(false);
    this.#onBusyOrClosed?.();
    this.#stream?.end('api_gone');
  }

  #loseListener(end: StreamEnd): void {
    if (this.#stream) this.#stream.end(end);
    else this.#goneEarly = end;
  }

  #open(claim: StreamClaim): SentStream {
    const { taskId, fence, signal } = claim;
    let last: DirectEntry['kind'] | undefined;
    const stream = new SentStream({
      taskId,
      fence,
      signal,
      add: ({ kind, value }, bytes) => {
        last = kind;
        if (kind === 'chunk') this.peer?.sendAudio(bytes);
        else this.peer?.send({ kind, value });
        return undefined;
      },
      onEnd: () => {
        this.#deps.onEnd(claim);
        this.#stream = undefined;
        this.#wait(stream, last === 'settled' || last === 'failed');
      },
    });
    this.#stream = stream;
    this.#deps.onBegin(claim);
    if (this.#goneEarly !== undefined) stream.end(this.#goneEarly);
    return stream;
  }

  /** For the next task, where the answer before has ended as it should. */
  #wait({ ended }: SentStream, hasEndedWell: boolean): void {
    const { taker, idle } = this.#deps;
    const offer = this.#isKept && hasEndedWell && ended === undefined ? taker()?.offer(idle()) : undefined;
    if (offer === undefined) return void this.peer?.end();
    this.#isIdle = true;
    this.peer?.send({ kind: 'idle', offer, now: performance.now() });
  }

  #receiveTask({ task, workerTime, claimAskedAt }: Handed): void {
    const taker = this.#deps.taker();
    if (!this.#isIdle || taker === undefined) throw new Error('a task for nobody who waits for one');
    this.#isIdle = false;
    this.#goneEarly = undefined;
    this.#onBusyOrClosed?.();
    let isTaken = false;
    const connection: EarlyConnection = {
      open: async (claim) => {
        isTaken = true;
        return this.#isClosed ? undefined : this.#open(claim);
      },
      close: () => {
        if (!isTaken) this.peer?.end();
      },
    };
    taker.take(task, { claimAskedAt, beginBy: workerTime + this.#deps.handedWithinMs, connection });
  }
}
