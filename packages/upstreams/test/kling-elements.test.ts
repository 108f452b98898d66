import type { JsonObject } from '@mediagate/contracts';
import { type Adapter, createAdapters, createHttpClient, type HttpClient } from '../src';
import {
  type ReceivedRequest,
  type ReplayServer,
  replyWith,
  startReplayServer,
} from '../src/conformance/replay-server';
import { callContext } from './fixtures';

/*
 * A Kling of our own for what takes several calls: elements are made by tasks, and then named by the video. The test decides in
 * advance what to answer where; the rest is a success.
 */

const ELEMENTS = '/v1/general/advanced-custom-elements';
const OMNI = '/v1/videos/omni-video';
/** More digits than a double holds, and written as a number. */
const TOM_ID = '829836802793406551';

const TOM = {
  name: 'Tom',
  description: 'a grey cat',
  imageUrls: ['https://c.example/1.png', 'https://c.example/2.png'],
};
const ANN = { name: 'Ann', description: 'a girl', imageUrls: ['https://c.example/3.png', 'https://c.example/4.png'] };
const REQUEST = { prompt: '@Tom meets @Ann', resolution: '720p', seconds: 5, inputs: [] };

type Answer = { status?: number; body: unknown } | 'lost';

let server: ReplayServer;
let http: HttpClient;
let kling: Adapter;
/** By method and path; the first of several is taken once, the last stays. */
let answers: Record<string, Answer[]>;

beforeEach(async () => {
  answers = {};
  let tasks = 0;
  server = await startReplayServer((response) => {
    const { method = '', path = '' } = server.received.at(-1) ?? {};
    const told = answers[`${method} ${path}`];
    const answer = (told && told.length > 1 ? told.shift() : told?.[0]) ?? usual(method, path);
    if (answer === 'lost') response.destroy();
    else replyWith(response, answer.status ?? 200, {}, answer.body);
  });
  http = createHttpClient();
  kling = adapter();

  function usual(method: string, path: string): Answer {
    if (method === 'GET') return notFound(path);
    tasks += 1;
    return success({ task_id: `task-${tasks}`, task_status: 'submitted', id: `task-${tasks}`, status: 'submitted' });
  }
});

afterEach(async () => {
  await http.close();
  await server.close();
});

function adapter(protocol = 'kling-video'): Adapter {
  const found = createAdapters({ http }).get(protocol);
  if (!found) throw new Error('no adapter');
  return found;
}

function success(data: JsonObject): Answer {
  return { body: { code: 0, message: 'SUCCEED', request_id: 'r-1', data } };
}

function notFound(path: string): Answer {
  return { status: 404, body: { code: 1203, message: `not found: ${path}`, request_id: 'r-1' } };
}

function ready(taskId: string, elementId: string): Answer {
  const data = `{"task_id":"${taskId}","task_status":"succeed","task_result":{"elements":[{"element_id":${elementId}}]}}`;
  return { body: `{"code":0,"message":"SUCCEED","request_id":"r-1","data":${data}}` };
}

function context() {
  return callContext(server.origin, {}, { model: 'kling-v3' });
}

function start(elements: JsonObject[], { attemptId = 'attempt-1', ...more }: JsonObject & { attemptId?: string } = {}) {
  return kling.start({ attemptId, request: { ...REQUEST, elements, ...more }, media: [] }, context());
}

async function operationOf(started: ReturnType<typeof start>): Promise<JsonObject> {
  const outcome = await started;
  if (outcome.kind !== 'started') throw new Error(`not started: ${outcome.kind}`);
  return JSON.parse(JSON.stringify(outcome.operation));
}

async function check(operation: JsonObject) {
  if (!kling.check) throw new Error('no check');
  return kling.check(operation, context());
}

function sent(method: string, path: string): ReceivedRequest[] {
  return server.received.filter((request) => request.method === method && request.path === path);
}

function bodies(path: string): JsonObject[] {
  // Digits beyond a double's are to be seen as they were sent.
  const shown = (body: string) => body.replace(/"element_id":(\d+)/g, '"element_id":{"digits":"$1"}');
  return sent('POST', path).map(({ body }) => JSON.parse(shown(body.toString())));
}

const GONE: Answer = { status: 404, body: { code: 1203, message: 'element does not exist' } };

/** Both elements are ready under the ids of the vendor. */
function bothReady() {
  answers[`GET ${ELEMENTS}/task-1`] = [ready('task-1', TOM_ID)];
  answers[`GET ${ELEMENTS}/task-2`] = [ready('task-2', '42')];
}

describe('a Kling video with elements', () => {
  it('begins its elements first, and no video', async () => {
    const outcome = await start([TOM, ANN]);
    expect(outcome).toMatchObject({ kind: 'started', externalId: 'attempt-1', checkAfterMs: 3000 });
    expect(server.received.map(({ path }) => path)).toEqual([ELEMENTS, ELEMENTS]);
    expect(bodies(ELEMENTS)[0]).toEqual({
      element_name: 'Tom',
      element_description: 'a grey cat',
      reference_type: 'image_refer',
      element_image_list: {
        frontal_image: 'https://c.example/1.png',
        refer_images: [{ image_url: 'https://c.example/2.png' }],
      },
      tag_list: [{ tag_id: 'o_108' }],
    });
  });

  it('waits for the slower one, remembering the other, in the state of a job in the queue', async () => {
    answers[`GET ${ELEMENTS}/task-1`] = [ready('task-1', TOM_ID)];
    answers[`GET ${ELEMENTS}/task-2`] = [success({ task_id: 'task-2', task_status: 'processing' })];
    const outcome = await check(await operationOf(start([TOM, ANN])));
    expect(outcome).toMatchObject({
      kind: 'pending',
      phase: 'queued',
      operation: { made: [{ taskId: 'task-1', elementId: TOM_ID }, { taskId: 'task-2' }] },
    });
    expect(sent('POST', OMNI)).toEqual([]);
  });

  it('is sent by the omni model once they are ready, its elements by place, every digit of an id kept', async () => {
    bothReady();
    const outcome = await check(await operationOf(start([TOM, ANN])));
    expect(bodies(OMNI)).toEqual([
      {
        model_name: 'kling-v3-omni',
        prompt: '<<<element_1>>> meets <<<element_2>>>',
        mode: 'std',
        duration: '5',
        external_task_id: 'attempt-1',
        element_list: [{ element_id: { digits: TOM_ID } }, { element_id: { digits: '42' } }],
      },
    ]);
    expect(outcome).toMatchObject({ kind: 'pending', operation: { way: 'omni-video', taskId: 'task-3' } });
    expect(JSON.stringify(outcome)).not.toContain('meets');
  });

  it('takes nothing that a caller writes for the id of an element', async () => {
    answers[`GET ${ELEMENTS}/task-1`] = [ready('task-1', '7')];
    const prompt = '@Tom writes "element_id":"123"';
    await check(await operationOf(start([TOM], { prompt })));
    expect(bodies(OMNI)).toMatchObject([{ prompt: '<<<element_1>>> writes "element_id":"123"' }]);
  });

  it('is sent as a video from an image where it has one', async () => {
    answers[`GET ${ELEMENTS}/task-1`] = [ready('task-1', '7')];
    const inputs = [{ role: 'first_frame', url: 'https://c.example/0.png' }];
    await check(await operationOf(start([TOM], { inputs })));
    expect(bodies('/v1/videos/image2video')).toMatchObject([
      { model_name: 'kling-v3', image: 'https://c.example/0.png', element_list: [{ element_id: { digits: '7' } }] },
    ]);
  });

  it('is not sent again by a check that finds that the vendor accepted an earlier one', async () => {
    bothReady();
    const operation = await operationOf(start([TOM, ANN]));
    answers[`POST ${OMNI}`] = ['lost'];
    expect(await check(operation)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    answers[`GET ${OMNI}/attempt-1`] = [success({ task_id: 'video-1', task_status: 'processing' })];
    expect(await check(operation)).toMatchObject({ kind: 'pending', operation: { taskId: 'video-1' } });
    expect(sent('POST', OMNI)).toHaveLength(1);
  });

  it('keeps the watermark that was asked for, though the question that finds it does not say so', async () => {
    bothReady();
    const operation = await operationOf(start([TOM, ANN], { watermark: true }));
    answers[`POST ${OMNI}`] = ['lost'];
    await check(operation);
    answers[`GET ${OMNI}/attempt-1`] = [success({ task_id: 'video-1', task_status: 'processing' })];
    expect(await check(operation)).toMatchObject({ operation: { taskId: 'video-1', marked: true } });
  });

  it('is looked for again where the vendor refuses its reference as used already, and is not ended by that', async () => {
    bothReady();
    const operation = await operationOf(start([TOM, ANN]));
    answers[`POST ${OMNI}`] = [{ status: 400, body: { code: 1201, message: 'duplicate external_task_id' } }];
    expect(await check(operation)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
  });

  it('is not sent while it is not known whether it was', async () => {
    bothReady();
    const operation = await operationOf(start([TOM, ANN]));
    answers[`GET ${OMNI}/attempt-1`] = [{ status: 503, body: { code: 5001, message: 'unavailable' } }];
    expect(await check(operation)).toMatchObject({ kind: 'refused', fault: { code: 'not_accepted' } });
    expect(sent('POST', OMNI)).toEqual([]);
  });

  it.each([
    ['the account is in arrears', 429, 1101, 'operator'],
    ['the account has nothing left', 429, 1102, 'operator'],
    ['the key is not taken', 401, 1002, 'operator'],
    ['the vendor is away', 503, 5001, 'not_accepted'],
    ['the vendor failed', 500, 5000, 'upstream_fault'],
    ['it came too fast', 429, 1302, 'rate_limited'],
  ])('is for another channel where %s when it is sent at last', async (_, status, code, fault) => {
    bothReady();
    const operation = await operationOf(start([TOM, ANN]));
    answers[`POST ${OMNI}`] = [{ status, body: { code, message: 'no', request_id: 'r-9' } }];
    expect(await check(operation)).toMatchObject({ kind: 'not_started', fault: { code: fault }, requestIds: ['r-9'] });
  });

  it.each([
    ['bad_request', 1201],
    ['content_policy', 1301],
  ])('ends the task where the vendor refuses what is in it: %s', async (fault, code) => {
    bothReady();
    const operation = await operationOf(start([TOM, ANN]));
    answers[`POST ${OMNI}`] = [{ status: 400, body: { code, message: 'no' } }];
    expect(await check(operation)).toMatchObject({ kind: 'refused', fault: { code: fault } });
  });

  it('is never sent when an element fails, which ends the task', async () => {
    answers[`GET ${ELEMENTS}/task-1`] = [
      success({ task_id: 'task-1', task_status: 'failed', task_status_msg: 'a grey cat: risk control' }),
    ];
    const outcome = await check(await operationOf(start([TOM, ANN])));
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'content_policy' } });
    expect(JSON.stringify(outcome)).not.toContain('grey');
    expect(sent('POST', OMNI)).toEqual([]);
  });

  it('is not begun when an element is refused, and no further element is', async () => {
    const message = 'invalid: a girl in a very red dress by the sea';
    answers[`POST ${ELEMENTS}`] = [{ status: 400, body: { code: 1301, message } }];
    const outcome = await start([{ ...TOM, description: 'a girl in a very red dress' }, ANN]);
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'content_policy' } });
    expect(JSON.stringify(outcome)).not.toContain('very red');
    expect(sent('POST', ELEMENTS)).toHaveLength(1);
  });
});

describe('elements of an earlier video', () => {
  async function makeBoth(): Promise<void> {
    bothReady();
    await check(await operationOf(start([TOM, ANN])));
  }

  it('are known by their content, so that the next video is sent at once', async () => {
    await makeBoth();
    const outcome = await start([ANN, TOM], { attemptId: 'attempt-2' });
    expect(outcome).toMatchObject({ kind: 'started', operation: { way: 'omni-video', taskId: 'task-4' } });
    expect(bodies(OMNI).at(-1)).toMatchObject({
      element_list: [{ element_id: { digits: '42' } }, { element_id: { digits: TOM_ID } }],
    });
    expect(sent('POST', ELEMENTS)).toHaveLength(2);
  });

  it('are made anew when any of their content is other, or the process is', async () => {
    await makeBoth();
    await start([{ ...TOM, description: 'a black cat' }], { attemptId: 'attempt-2' });
    expect(sent('POST', ELEMENTS)).toHaveLength(3);
    kling = adapter();
    await start([TOM], { attemptId: 'attempt-3' });
    expect(sent('POST', ELEMENTS)).toHaveLength(4);
  });

  it('are made anew after an hour, as the images behind an address may have changed', async () => {
    const now = jest.spyOn(performance, 'now');
    try {
      await makeBoth();
      now.mockReturnValue(performance.now() + 3_600_000);
      expect(await start([TOM], { attemptId: 'attempt-2' })).toMatchObject({ externalId: 'attempt-2' });
      expect(sent('POST', ELEMENTS)).toHaveLength(3);
    } finally {
      now.mockRestore();
    }
  });

  it('are not waited for by another video while they are made: they may never be ready', async () => {
    await start([TOM, ANN]);
    await start([TOM, ANN], { attemptId: 'attempt-2' });
    expect(sent('POST', ELEMENTS)).toHaveLength(4);
  });

  it('are kept when the vendor refuses a video for something else', async () => {
    await makeBoth();
    answers[`POST ${OMNI}`] = [{ status: 400, body: { code: 1201, message: 'prompt is too long' } }];
    await start([TOM, ANN], { attemptId: 'attempt-2' });
    answers[`POST ${OMNI}`] = [success({ task_id: 'video-3' })];
    expect(await start([TOM, ANN], { attemptId: 'attempt-3' })).toMatchObject({ externalId: 'video-3' });
    expect(sent('POST', ELEMENTS)).toHaveLength(2);
  });

  it('are made anew, once, for the video whose elements the vendor no longer has', async () => {
    await makeBoth();
    answers[`POST ${OMNI}`] = [GONE, success({ task_id: 'video-2' })];
    answers[`POST ${ELEMENTS}`] = [success({ task_id: 'task-5' }), success({ task_id: 'task-6' })];
    const operation = await operationOf(start([TOM, ANN], { attemptId: 'attempt-2' }));
    answers[`GET ${ELEMENTS}/task-5`] = [ready('task-5', '51')];
    answers[`GET ${ELEMENTS}/task-6`] = [ready('task-6', '52')];
    expect(await check(operation)).toMatchObject({ kind: 'pending', operation: { taskId: 'video-2' } });
    expect(bodies(OMNI).at(-1)).toMatchObject({
      element_list: [{ element_id: { digits: '51' } }, { element_id: { digits: '52' } }],
    });
    expect(await start([TOM], { attemptId: 'attempt-3' })).toMatchObject({ externalId: 'video-2' });
    expect(bodies(OMNI).at(-1)).toMatchObject({ element_list: [{ element_id: { digits: '51' } }] });
  });

  it('end the video that is refused for want of those that were just made anew', async () => {
    await makeBoth();
    answers[`POST ${OMNI}`] = [GONE];
    const operation = await operationOf(start([TOM, ANN], { attemptId: 'attempt-2' }));
    for (const id of ['task-4', 'task-5']) answers[`GET ${ELEMENTS}/${id}`] = [ready(id, '"new"')];
    expect(await check(operation)).toMatchObject({ kind: 'refused', fault: { code: 'bad_request' } });
    expect(sent('POST', ELEMENTS)).toHaveLength(4);
  });
});

describe('an element that comes to nothing', () => {
  const FAILED = success({ task_id: 'task-1', task_status: 'failed', task_status_msg: 'internal error' });
  const WORKING = success({ task_id: 'task-1', task_status: 'processing' });
  const MINUTES_AGO_MS = 11 * 60_000;

  /** As if the vendor had been at its elements for so long. */
  function aged(operation: JsonObject, byMs: number): JsonObject {
    const made = operation['made'] as { since: number }[];
    return { ...operation, made: made.map((element) => ({ ...element, since: element.since - byMs })) };
  }

  it.each([
    ['because it failed', FAILED, 0],
    ['because the vendor does not know its task', notFound('task-1'), 0],
    ['because it is not ready after minutes', WORKING, MINUTES_AGO_MS],
  ])('%s is made a second time', async (_, answer, byMs) => {
    answers[`GET ${ELEMENTS}/task-1`] = [answer];
    const outcome = await check(aged(await operationOf(start([TOM])), byMs));
    expect(outcome).toMatchObject({ kind: 'pending', phase: 'queued', operation: { made: [{ taskId: 'task-2' }] } });
    expect(bodies(ELEMENTS)[1]).toEqual(bodies(ELEMENTS)[0]);
  });

  async function secondTry(): Promise<JsonObject> {
    answers[`GET ${ELEMENTS}/task-1`] = [FAILED];
    const outcome = await check(await operationOf(start([TOM])));
    if (outcome.kind !== 'pending' || !outcome.operation) throw new Error(`not under way: ${outcome.kind}`);
    return outcome.operation;
  }

  it('ends the task when it fails the second time', async () => {
    const operation = await secondTry();
    answers[`GET ${ELEMENTS}/task-2`] = [FAILED];
    expect(await check(operation)).toMatchObject({ kind: 'refused', fault: { code: 'generation_failed' } });
    expect(sent('POST', ELEMENTS)).toHaveLength(2);
  });

  it('gives the video to another channel when it is late the second time', async () => {
    const operation = await secondTry();
    answers[`GET ${ELEMENTS}/task-2`] = [WORKING];
    expect(await check(operation)).toMatchObject({ kind: 'pending' });
    expect(await check(aged(operation, MINUTES_AGO_MS))).toMatchObject({
      kind: 'not_started',
      fault: { code: 'upstream_fault' },
    });
  });

  const NO_MONEY = { status: 429, body: { code: 1102, message: 'no balance' } };

  it('gives the video to another channel when its second start is refused', async () => {
    const operation = await operationOf(start([TOM]));
    answers[`GET ${ELEMENTS}/task-1`] = [FAILED];
    answers[`POST ${ELEMENTS}`] = [NO_MONEY];
    expect(await check(operation)).toMatchObject({ kind: 'not_started', fault: { code: 'operator' } });
  });

  it('gives nothing away when an earlier check has sent the video', async () => {
    const operation = await operationOf(start([TOM]));
    answers[`GET ${ELEMENTS}/task-1`] = [notFound('task-1')];
    answers[`POST ${ELEMENTS}`] = [NO_MONEY];
    answers[`GET ${OMNI}/attempt-1`] = [success({ task_id: 'video-1', task_status: 'processing' })];
    expect(await check(operation)).toMatchObject({ kind: 'pending', operation: { taskId: 'video-1' } });
  });
});

describe('on the newer wire', () => {
  const CURRENT_OMNI = '/omni-video/kling-3.0-omni';

  beforeEach(() => {
    kling = adapter('kling-3');
  });

  function begin(more: JsonObject = {}) {
    const request = { ...REQUEST, elements: [TOM, ANN], ...more };
    return kling.start({ attemptId: 'attempt-1', request, media: [] }, current());
  }

  function ask(operation: JsonObject) {
    return kling.check?.(operation, current());
  }

  function current() {
    return callContext(server.origin, {}, { model: 'kling-3.0' });
  }

  it('elements are made alike, and are contents that the words call by their places, every digit of an id kept', async () => {
    bothReady();
    const outcome = await ask(await operationOf(begin()));
    expect(outcome).toMatchObject({ kind: 'pending', operation: { taskId: 'task-3' } });
    expect(bodies(CURRENT_OMNI)).toEqual([
      {
        contents: [
          { type: 'prompt', text: '@element_1 meets @element_2' },
          { type: 'element', element_id: TOM_ID, id: 'element_1' },
          { type: 'element', element_id: '42', id: 'element_2' },
        ],
        settings: { multi_shot: false, resolution: '720p', aspect_ratio: '16:9', duration: 5 },
        options: { external_task_id: 'attempt-1' },
      },
    ]);
  });

  it('a video is not sent again that the vendor has by the attempt, and keeps its watermark', async () => {
    bothReady();
    const operation = await operationOf(begin({ watermark: true }));
    answers['GET /tasks?external_task_ids=attempt-1'] = [
      {
        body: {
          code: 0,
          message: 'SUCCEED',
          request_id: 'r-1',
          data: [{ id: 'video-1', status: 'processing', external_id: 'attempt-1' }],
        },
      },
    ];
    expect(await ask(operation)).toMatchObject({ kind: 'pending', operation: { taskId: 'video-1', marked: true } });
    expect(sent('POST', CURRENT_OMNI)).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['a refusal of the question', { status: 400, body: { code: 1201, message: 'external_task_ids is invalid' } }],
    ['a refusal that names a model', { status: 404, body: { code: 1203, message: 'model does not exist' } }],
    [
      'a list of other tasks',
      { body: { code: 0, data: [{ id: 'video-9', status: 'succeeded', external_id: 'other' }] } },
    ],
  ])('by %s nobody knows of the video: it is neither sent nor given up', async (_, answer) => {
    bothReady();
    const operation = await operationOf(begin());
    answers['GET /tasks?external_task_ids=attempt-1'] = [answer];
    const outcome = await ask(operation);
    const open = expect.stringMatching(/^(upstream_fault|operator|outcome_unknown)$/);
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: open } });
    expect(sent('POST', CURRENT_OMNI)).toEqual([]);
  });

  it('what the vendor quotes of the words does not show', async () => {
    answers['POST /image-to-video/kling-3.0'] = [
      { status: 400, body: { code: 1201, message: 'bad words: a very red dress by the sea' } },
    ];
    const inputs = [{ role: 'first_frame', url: 'https://c.example/0.png' }];
    const request = { ...REQUEST, prompt: 'a very red dress by the sea', inputs };
    const outcome = await kling.start({ attemptId: 'attempt-1', request, media: [] }, current());
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'bad_request' } });
    expect(JSON.stringify(outcome)).not.toContain('very red');
  });
});
