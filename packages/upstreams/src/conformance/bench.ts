import type { CheckOutcome, JsonObject, StartOutcome } from '@mediagate/contracts';
import type { Adapter, CallContext } from '../contract';
import { createHttpClient, type HttpClient } from '../http-client';
import { present } from '../json-guards';
import { type AnyOutcome, callContext, type Fixture, NOW_MS, startRequest } from './fixtures';
import { type Replay, type ReplayServer, startReplayServer } from './replay-server';
import { replyAs } from './replies';

/** One adapter under trial: its clients, and the server that stands in for its vendor. */
export class Bench {
  readonly success: Fixture;
  readonly #create: (http: HttpClient) => Adapter;
  readonly #basePath: string;
  readonly #clients: HttpClient[] = [];
  #server: ReplayServer | undefined;

  constructor(create: (http: HttpClient) => Adapter, { success, basePath }: { success: Fixture; basePath: string }) {
    this.#create = create;
    this.success = success;
    this.#basePath = basePath;
  }

  /** @param maxResponseBytes in place of the limit that the adapter has for each answer */
  adapter(maxResponseBytes?: number): Adapter {
    const client = createHttpClient();
    this.#clients.push(client);
    const send: HttpClient['send'] = (request) =>
      client.send(maxResponseBytes === undefined ? request : { ...request, maxResponseBytes });
    return this.#create({ ...client, send });
  }

  get server(): ReplayServer {
    if (this.#server === undefined) throw new Error('nothing listens');
    return this.#server;
  }

  /** The channel's base URL. */
  async listen(replay: Replay): Promise<string> {
    this.#server = await startReplayServer(replay);
    return this.#server.origin + this.#basePath;
  }

  /** The success's start against a server that is scripted. */
  async start(replay: Replay, options: JsonObject = {}, maxResponseBytes?: number): Promise<StartOutcome> {
    const { success } = this;
    const context = contextOf(success, await this.listen(replay), { ...success.options, ...options });
    return this.adapter(maxResponseBytes).start(startRequest(success, success), context);
  }

  /** The question of a fixture against a server that is scripted. */
  async ask(fixture: Fixture, replay: Replay, maxResponseBytes?: number): Promise<CheckOutcome> {
    return check(this.adapter(maxResponseBytes), fixture, contextOf(fixture, await this.listen(replay)));
  }

  /** Runs the exchange of a fixture at the time of all fixtures; the server answers with its replies. */
  async play(fixture: Fixture): Promise<AnyOutcome> {
    const baseUrl = await this.listen((response, index) => replyAs(fixture, response, index));
    return atFixtureTime(() => exchange(this.adapter(), fixture, { success: this.success, baseUrl }));
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.#server?.close();
  }
}

export function contextOf(fixture: Fixture, baseUrl: string, options = fixture.options): CallContext {
  return callContext(baseUrl, options, fixture.model === undefined ? {} : { model: fixture.model });
}

/** Sockets need their timers; `Date.now` alone stands still. */
async function atFixtureTime<T>(work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => NOW_MS;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}

/** A start, a question about a job, a cancellation, or a lookup, whichever the fixture is of. */
function exchange(
  adapter: Adapter,
  fixture: Fixture,
  { success, baseUrl }: { success: Fixture; baseUrl: string },
): Promise<AnyOutcome> {
  // A fixture without a model or options of its own has those of the success.
  const { model, options } = success;
  const context = contextOf({ ...present({ model, options }), ...fixture }, baseUrl);
  if (fixture.check) return check(adapter, fixture, context);
  if (fixture.cancel) return cancel(adapter, fixture.cancel, context);
  if (!fixture.lookup) return adapter.start(startRequest(fixture, success), context);
  if (!adapter.lookup) throw new Error('a fixture of a lookup that the adapter does not have');
  return adapter.lookup('attempt-1', context);
}

export function check(adapter: Adapter, { check: operation }: Fixture, context: CallContext): Promise<CheckOutcome> {
  if (!adapter.check || !operation) throw new Error('a protocol of jobs that cannot be asked about one');
  return adapter.check(operation, context);
}

function cancel({ cancel: stop }: Adapter, operation: JsonObject, context: CallContext): Promise<AnyOutcome> {
  if (!stop) throw new Error('a fixture of a cancellation that the adapter does not have');
  return stop(operation, context);
}
