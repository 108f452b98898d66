import type { CheckOutcome, ImgtoolRequest, JsonObject, StartOutcome } from '@mediagate/contracts';
import { type Adapter, createAdapters, createHttpClient, type HttpClient } from '../src';
import { type ReplayServer, replyWith, startReplayServer } from '../src/conformance/replay-server';
import { callContext } from './fixtures';

/*
 * A server of our own for what takes several calls: a pressed button opens a window, and the task stands in MODAL until a
 * confirmation is taken. The test decides in advance what it loses on the way.
 */

const PARENT = {
  taskId: 'task_1',
  channelId: 'channel-1',
  externalId: '1001',
  buttons: ['MJ::JOB::variation::1::h', 'MJ::Inpaint::1::h::SOLO'].map((customId) => ({ customId, label: '' })),
};
const REMIX = { action: 'remix_strong', speed: 'relax', index: 1, prompt: 'snow', parent: PARENT } as const;
const IMAGE = 'https://results.example/grid.png';

let server: ReplayServer;
let http: HttpClient;
let proxy: Adapter;
/** By id: the status of each task that the server has. */
let tasks: Map<string, string>;
/** Confirmations in the order in which the server took them. */
let taken: JsonObject[];
/** The fates of the next posts: the connection is cut before the server acts, or after. */
let fates: ('lost before' | 'lost after')[];

beforeEach(async () => {
  tasks = new Map();
  taken = [];
  fates = [];
  server = await startReplayServer((response) => {
    const { method, path = '', body } = server.received.at(-1) ?? {};
    if (method === 'GET') {
      const id = path.split('/').at(-2) ?? '';
      replyWith(response, 200, {}, { id, status: tasks.get(id), imageUrl: IMAGE, prompt: 'what the window shows' });
      return;
    }
    const fate = fates.shift();
    const answer = fate === 'lost before' ? undefined : acted(path, JSON.parse(body?.toString() ?? ''));
    if (fate !== undefined) response.destroy();
    else replyWith(response, 200, {}, answer);
  });
  http = createHttpClient();
  const found = createAdapters({ http }).get('midjourney-proxy');
  if (!found) throw new Error('no adapter');
  proxy = found;
});

afterEach(async () => {
  await http.close();
  await server.close();
});

function acted(path: string, body: JsonObject): JsonObject {
  if (path.endsWith('/modal')) {
    const taskId = String(body['taskId']);
    if (tasks.get(taskId) !== 'MODAL') return { code: 4, description: 'the window is not open' };
    taken.push(body);
    tasks.set(taskId, 'SUBMITTED');
    return { code: 1, description: 'ok', result: taskId };
  }
  const id = String(2001 + tasks.size);
  tasks.set(id, 'MODAL');
  return { code: 21, description: 'Waiting for window confirm', result: id, properties: { remix: true } };
}

function start(request: ImgtoolRequest, attemptId = 'attempt-1'): Promise<StartOutcome> {
  return proxy.start({ attemptId, request: { ...request } as unknown as JsonObject, media: [] }, context());
}

/** Checks as a process does that knows only the saved operation. */
function check(operation: JsonObject): Promise<CheckOutcome> {
  return proxy.check?.(JSON.parse(JSON.stringify(operation)), context()) ?? Promise.reject(new Error('no check'));
}

function context() {
  return callContext(server.origin);
}

async function startedOperation(request: ImgtoolRequest): Promise<JsonObject> {
  const outcome = await start(request);
  if (outcome.kind !== 'started') throw new Error(outcome.kind);
  return outcome.operation;
}

async function pendingOperation(operation: JsonObject): Promise<JsonObject> {
  const outcome = await check(operation);
  if (outcome.kind !== 'pending') throw new Error(outcome.kind);
  return outcome.operation ?? operation;
}

function posts(resource: string): number {
  return server.received.filter(({ path }) => path.endsWith(`/mj/submit/${resource}`)).length;
}

describe('a window that a button opens', () => {
  it('is confirmed by the check after the start, once, and the job goes on to its image', async () => {
    const confirmed = await pendingOperation(await startedOperation(REMIX));
    expect(taken).toEqual([{ taskId: '2001', prompt: 'snow' }]);
    await pendingOperation(confirmed);
    tasks.set('2001', 'SUCCESS');
    expect(await check(confirmed)).toMatchObject({ kind: 'done', outputs: [{ url: IMAGE }] });
    expect([posts('action'), posts('modal')]).toEqual([1, 1]);
  });

  it('is not confirmed again by a process that did not learn that it was', async () => {
    const operation = await startedOperation(REMIX);
    await pendingOperation(operation);
    // Killed before the new operation was saved.
    await pendingOperation(operation);
    expect([posts('action'), posts('modal')]).toEqual([1, 1]);
  });

  it('is not confirmed again where the answer was lost after the server had accepted it', async () => {
    const operation = await startedOperation(REMIX);
    fates = ['lost after'];
    expect(await check(operation)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    await pendingOperation(operation);
    expect([taken.length, posts('modal')]).toEqual([1, 1]);
  });

  it('is confirmed by the next check where the confirmation was lost before it got there', async () => {
    const operation = await startedOperation(REMIX);
    fates = ['lost before'];
    expect(await check(operation)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    await pendingOperation(operation);
    expect([taken.length, posts('modal')]).toEqual([1, 2]);
  });

  it('still waiting in the queue of a server that accepted its confirmation is left alone', async () => {
    const confirmed = await pendingOperation(await startedOperation(REMIX));
    tasks.set('2001', 'MODAL');
    expect(await check(confirmed)).toMatchObject({ kind: 'pending', phase: 'queued' });
    expect(posts('modal')).toBe(1);
  });
});

describe('an inpaint', () => {
  it('waits for its modal, however often it is asked about, and ends with the same image', async () => {
    const inpaint = await start({ action: 'inpaint', speed: 'relax', parent: PARENT });
    if (inpaint.kind !== 'started') throw new Error(inpaint.kind);
    for (let asked = 0; asked < 3; asked += 1) {
      expect(await check(inpaint.operation)).toMatchObject({ kind: 'pending', phase: 'parked' });
    }
    expect(posts('modal')).toBe(0);

    const parent = { ...PARENT, externalId: inpaint.externalId, buttons: [] };
    const modal = await start({ action: 'modal', speed: 'relax', prompt: 'a boat', parent }, 'attempt-2');
    if (modal.kind !== 'started') throw new Error(modal.kind);
    expect(taken).toEqual([{ taskId: inpaint.externalId, prompt: 'a boat', state: 'attempt-2' }]);
    expect(modal.externalId).not.toBe(inpaint.externalId);

    tasks.set(inpaint.externalId, 'SUCCESS');
    const [first, second] = [await check(inpaint.operation), await check(modal.operation)];
    expect(first).toMatchObject({ kind: 'done', outputs: [{ url: IMAGE }] });
    expect(second).toEqual(first);
  });
});

describe('a start whose answer was lost', () => {
  it('is sent once and cannot be looked up, because the vendor answers by its own ids alone', async () => {
    fates = ['lost after'];
    expect(await start(REMIX)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    expect(server.received).toHaveLength(1);
    expect([proxy.afterLostAnswer, proxy.lookup]).toEqual(['never', undefined]);
  });
});

describe('one of a grid that is worked on as an image alone', () => {
  const NEXT = {
    taskId: '2001',
    customId: 'MJ::JOB::low_variation::1::h::SOLO',
    speed: 'fast',
    action: 'low_variation',
  };
  const startNext = () =>
    proxy.startNext?.({ attemptId: 'attempt-1', next: NEXT }, context()) ?? Promise.reject(new Error('no next stage'));

  it('has its button pressed once, and is then a job like any other', async () => {
    const started = await startNext();
    const operation = { taskId: '2001', action: 'low_variation', speed: 'fast', confirm: {}, upscaled: '2001' };
    expect(started).toMatchObject({ kind: 'started', externalId: '2001', operation });
    const { path, body } = server.received[0] ?? {};
    const pressed = { taskId: '2001', customId: NEXT.customId, state: 'attempt-1' };
    expect([path, JSON.parse(String(body))]).toEqual(['/mj-fast/mj/submit/action', pressed]);
    if (started.kind !== 'started') throw new Error(started.kind);
    tasks.set('2001', 'SUCCESS');
    expect(await check(started.operation)).toMatchObject({ kind: 'done', outputs: [{ url: IMAGE }] });
    expect(posts('action')).toBe(1);
  });

  it('is of unknown outcome where the answer was lost, and nothing is sent by itself', async () => {
    fates = ['lost after'];
    expect(await startNext()).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    expect(posts('action')).toBe(1);
  });
});
