import { taskError } from '@mediagate/billing';
import { type Json, type JsonObject, newTaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { acceptUpstream, finishImgtool, GRID, SINGLE, TILES } from '../../../../test/imgtool-tasks';
import { startTestApi } from '../../../../test/test-api';
import { pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const A = `data:image/png;base64,${pngOf(64, 64).toString('base64')}`;
const B = 'https://example.com/b.png';
const send = (name: string, body: unknown, key = caller.key) => api.post(`/mj/submit/${name}`, body, { key });
const fetched = (id: string, key = caller.key) => api.get(`/mj/task/${id}/fetch`, { key });
const taskOf = (id: string) => api.database.task.findUniqueOrThrow({ where: { id } });

async function submitted(name: string, body: JsonObject): Promise<string> {
  const answer = await send(name, body);
  expect(answer).toMatchObject({ status: 200, body: { code: 1, properties: {} } });
  return answer.body.result;
}

async function made(result: JsonObject): Promise<string> {
  const id = await submitted('imagine', { prompt: 'a fox --v 7', state: 'order-1' });
  await finishImgtool(api, id, result);
  return id;
}

describe('POST /mj/submit/*', () => {
  it('answers with a code, a description and the id of a task like any other', async () => {
    const { status, headers, body } = await send('imagine', {
      prompt: 'a fox',
      base64Array: [A],
      botType: 'NIJI_JOURNEY',
      accountFilter: { modes: ['FAST'] },
      notifyHook: 'https://example.com/hook',
      webhook: 7,
      callbackUrl: 'https://example.com/hook',
      language: 5,
      state: 'order-1',
    });
    expect([status, body]).toEqual([
      200,
      { code: 1, description: 'Submit success', result: expect.stringMatching(/^task_/), properties: {} },
    ]);
    expect(headers.get('x-task-id')).toBe(body.result);
    expect(await taskOf(body.result)).toMatchObject({
      operation: 'imgtool.imagine',
      webhook: null,
      language: null,
      rates: { 'imgtool@imagine-fast': '80000000' },
      input: {
        prompt: 'a fox',
        niji: true,
        speed: 'fast',
        metadata: { state: 'order-1' },
        image_urls: [expect.any(String)],
      },
    });
    expect((await api.get(`/v1/tasks/${body.result}`, { key: caller.key })).body.data.kind).toBe('imgtool');
  });

  it.each<[name: string, body: JsonObject, operation: string, input: JsonObject]>([
    ['blend', { base64Array: [A, A], dimensions: 'PORTRAIT' }, 'imgtool.blend', { dimensions: 'PORTRAIT' }],
    ['describe', { base64: A }, 'imgtool.describe', { image_urls: [expect.any(String)] }],
    [
      'describe',
      { link: 'https://example.com/a.png' },
      'imgtool.describe',
      { image_urls: ['https://example.com/a.png'] },
    ],
    ['describe', { base64Array: [A] }, 'imgtool.describe', { image_urls: [expect.any(String)] }],
    ['video', { base64Array: [A] }, 'imgtool.video', { image_urls: [expect.any(String)] }],
    ['edits', { prompt: 'make it night', image: A }, 'imgtool.edits', { image_urls: [expect.any(String)] }],
    ['edits', { prompt: 'make it night', base64Array: [A] }, 'imgtool.edits', { prompt: 'make it night' }],
    [
      'edits',
      { prompt: 'a fox', image: A, base64Array: [A, ''], nsfwCheck: false },
      'imgtool.edits',
      { image_urls: [expect.any(String)] },
    ],
    [
      'edits',
      { prompt: 'at night', image: A, botType: 'NIJI_JOURNEY', maskBase64: '' },
      'imgtool.edits',
      { niji: true },
    ],
    ['shorten', { prompt: 'a very tall fox' }, 'imgtool.shorten', { prompt: 'a very tall fox' }],
    [
      'video',
      { image: A, motion: 'low', videoType: 'vid_1.1_i2v_720', batchSize: 2 },
      'imgtool.video',
      { video_type: '720', batch_size: 2 },
    ],
  ])('%s %#', async (name, body, operation, input) => {
    expect(await taskOf(await submitted(name, body))).toMatchObject({ operation, input });
  });

  it.each<[body: JsonObject, result: JsonObject, operation: string, input: JsonObject]>([
    [{ action: 'UPSCALE', index: 2 }, GRID, 'imgtool.upscale', { index: 2 }],
    [{ action: 'variation', index: 1 }, GRID, 'imgtool.variation', { index: 1 }],
    [{ action: 'REROLL' }, GRID, 'imgtool.reroll', {}],
  ])('change %p works on its parent', async (body, result, operation, input) => {
    const taskId = await made(result);
    expect(await taskOf(await submitted('change', { taskId, ...body }))).toMatchObject({
      operation,
      input,
      parentTaskId: taskId,
    });
  });

  it.each<[change: string, operation: string, input: JsonObject]>([
    ['U2', 'imgtool.upscale', { index: 2 }],
    ['v4', 'imgtool.variation', { index: 4 }],
    ['R', 'imgtool.reroll', {}],
  ])('simple-change %s works on its parent', async (change, operation, input) => {
    const parentTaskId = await made(GRID);
    const id = await submitted('simple-change', { content: ` ${parentTaskId} ${change}` });
    expect(await taskOf(id)).toMatchObject({ operation, input, parentTaskId });
  });

  it.each<[path: string, instead: string]>([
    ['/insight-face/swap', '/v1/images/edits'],
    ['/submit/upload-discord-images', '/v1/uploads/images'],
    ['/task/task_1/cancel', '/v1/tasks/{task_id}/cancel'],
  ])('names what to use instead of %s, which it does not serve', async (path, instead) => {
    for (const base of ['/mj', '/mj-fast/mj']) {
      const { status, body } = await api.post(base + path, {}, { key: caller.key });
      expect([status, body.code, body.description]).toEqual([404, 3, `There is no such endpoint; use ${instead}.`]);
    }
  });

  it('says how an image is drawn again, since it tells nobody its seed', async () => {
    const { status, body } = await api.get('/mj/task/task_1/image-seed', { key: caller.key });
    expect([status, body.code, body.description]).toEqual([
      404,
      3,
      'There is no such endpoint: vendors do not report seeds. An image can be drawn again if it was submitted with a seed of your own, such as --seed 7 in the prompt.',
    ]);
  });

  it.each<[customId: string, result: JsonObject, operation: string, input: JsonObject]>([
    ['MJ::JOB::upsample::3::h', GRID, 'imgtool.upscale', { custom_id: 'MJ::JOB::upsample::3::h' }],
    ['MJ::JOB::reroll::0::h::SOLO', GRID, 'imgtool.reroll', {}],
    ['MJ::JOB::high_variation::1::h::SOLO', SINGLE, 'imgtool.high-variation', {}],
    ['MJ::Outpaint::75::1::h::SOLO', SINGLE, 'imgtool.zoom', { zoom_ratio: 1.5 }],
    ['MJ::Outpaint::50::1::h::SOLO', SINGLE, 'imgtool.zoom', { zoom_ratio: 2 }],
    ['MJ::JOB::pan_left::1::h::SOLO', SINGLE, 'imgtool.pan', { direction: 'left' }],
    ['MJ::Inpaint::1::h::SOLO', SINGLE, 'imgtool.inpaint', {}],
    ['MJ::JOB::animate_low::1::h::SOLO', SINGLE, 'imgtool.video', { motion: 'low', index: 1 }],
  ])('action presses %s', async (customId, result, operation, input) => {
    const taskId = await made(result);
    expect(await taskOf(await submitted('action', { taskId, customId }))).toMatchObject({
      operation,
      input,
      parentTaskId: taskId,
    });
  });

  it('modal goes on with an inpaint', async () => {
    const inpaint = await submitted('action', { taskId: await made(SINGLE), customId: 'MJ::Inpaint::1::h::SOLO' });
    // Claimed by a worker, it has no window yet that a modal could answer.
    await api.database.task.update({ where: { id: inpaint }, data: { status: 'pending' } });
    expect((await fetched(inpaint)).body.status).toBe('SUBMITTED');
    await acceptUpstream(api, inpaint);
    expect((await fetched(inpaint)).body.status).toBe('MODAL');
    const modal = await taskOf(await submitted('modal', { taskId: inpaint, prompt: 'a door', maskBase64: A }));
    expect(modal).toMatchObject({
      operation: 'imgtool.modal',
      parentTaskId: inpaint,
      input: { mask_url: expect.any(String) },
    });
    expect((await fetched(inpaint)).body.status).toBe('SUBMITTED');
  });

  it('says of a task that waits for a place of its key how many must end before it', async () => {
    const limited = await api.createCaller({ maxConcurrent: 2 });
    const answers = [];
    for (const prompt of ['a', 'b', 'c', 'd']) answers.push((await send('imagine', { prompt }, limited.key)).body);
    expect(answers.map(({ code, properties }) => [code, properties])).toEqual([
      [1, {}],
      [1, {}],
      [22, { numberOfQueues: 1 }],
      [22, { numberOfQueues: 2 }],
    ]);
    expect(await taskOf(answers[3].result)).toMatchObject({ status: 'submitted' });
    for (const { result } of answers) await finishImgtool(api, result, SINGLE);
    expect((await send('imagine', { prompt: 'e' }, limited.key)).body.code).toBe(1);
  });

  it.each<[name: string, body: JsonObject, field: string]>([
    ['describe', {}, 'base64'],
    ['describe', { base64: 'fox' }, 'base64'],
    ['describe', { link: 'ftp://example.com/a.png' }, 'link'],
    ['describe', { base64Array: ['fox'] }, 'base64Array'],
    ['video', {}, 'image'],
    ['video', { image: 'fox' }, 'image'],
    ['imagine', { prompt: 'a fox', base64Array: ['fox'] }, 'base64Array'],
  ])('complains of the image of %s %p by its name there', async (name, body, field) => {
    const { code, description } = (await send(name, body)).body;
    expect(code).toBe(4);
    expect(description).toMatch(new RegExp(`^${field}\\b`));
    expect(description).not.toContain('image_urls');
  });

  it.each<[name: string, body: JsonObject, description: string]>([
    ['imagine', { botType: 'BAD' }, 'botType must be one of MID_JOURNEY, NIJI_JOURNEY'],
    ['describe', { base64: A, botType: 5 }, 'botType must be one of MID_JOURNEY, NIJI_JOURNEY'],
    ['imagine', { state: 5 }, 'state must be a string'],
    ['video', { image: A, state: 5 }, 'state must be a string'],
    ['imagine', { accountFilter: { modes: ['SLOW'] } }, 'accountFilter.modes must be one of relax, fast, turbo'],
    ['change', { taskId: 'x', action: 'UPSCALE' }, 'index is required'],
    ['video', {}, 'image, or taskId and index, is required'],
    ['video', { taskId: 'x' }, 'index is required with taskId'],
    ['video', { image: A, taskId: 'x', index: 0 }, 'taskId and image cannot be given together'],
    ['simple-change', {}, 'content is required'],
    ['simple-change', { content: 'task_1 U5' }, expect.stringMatching(/^content must be one of <taskId> U1 /)],
    ['video', { image: A, batchSize: 3 }, 'batchSize must be one of 1, 2, 4'],
    ['edits', { image: A, maskBase64: A }, 'maskBase64: parameter is not supported'],
    ['video', { image: A, mask: A }, 'mask: parameter is not supported'],
    ['video', { image: A, videoUrl: A }, 'videoUrl: parameter is not supported'],
    ['modal', { taskId: 'x', mask_url: A }, 'mask_url is not a parameter of the model; use maskBase64'],
    ['imagine', { image: A }, 'image is not a parameter of the model; use base64Array'],
    ['edits', { image_urls: [A] }, 'image_urls is not a parameter of the model; use image or base64Array'],
    ['edits', { image: A, maxCost: 0.0001 }, 'maxCost is not a parameter of the model; use max_cost'],
    ['imagine', { maxCost: 0.0001 }, 'maxCost is not a parameter of the model; use max_cost'],
    ['imagine', { expiresIn: 5 }, 'expiresIn is not a parameter of the model; use expires_in'],
    ['imagine', { nsfw_check: true }, 'nsfw_check is not a parameter of the model; use nsfwCheck'],
    ['imagine', { Prompt: 'x' }, 'Prompt is not a parameter of the model; use prompt'],
    [
      'imagine',
      { accountFilter: { Modes: ['FAST'] } },
      'accountFilter.Modes is not a parameter of the model; use modes',
    ],
    ['imagine', { bot_type: 'NIJI_JOURNEY' }, 'bot_type is not a parameter of the model; use botType'],
    ['imagine', { speed: 'relax' }, 'speed is not a parameter of the model; use accountFilter'],
    ['imagine', { niji: true }, 'niji is not a parameter of the model; use botType'],
    ['video', { image: A, batch_size: 4 }, 'batch_size is not a parameter of the model; use batchSize'],
    ['video', { image: A, n: 4 }, 'n is not a parameter of the model; use batchSize'],
    [
      'video',
      { image: A, base64Array: [A, B] },
      'image and base64Array are two names of one field and must not differ',
    ],
    ['describe', { base64: A, link: B }, 'base64 and link are two names of one field and must not differ'],
    [
      'imagine',
      { base64: A, base64Array: [B] },
      'base64 and base64Array are two names of one field and must not differ',
    ],
    ['video', { taskId: newTaskId(), index: 4 }, 'index must be from 0 to 3'],
    ['video', { taskId: newTaskId(), index: -1 }, 'index must be from 0 to 3'],
    ['simple-change', { content: 5 }, 'content must be a string'],
    ['action', { taskId: 'x', customId: 5 }, 'customId must be a string'],
  ])('names the fields of %s %p as the body does', async (name, body, description) => {
    const answer = (await send(name, { prompt: 'a fox', ...body })).body;
    expect([answer.code, answer.description]).toEqual([4, description]);
  });

  it.each<[name: string, body: JsonObject, fields: string[]]>([
    ['imagine', { prompt: '', botType: 'BAD', state: 5 }, ['botType', 'state', 'prompt']],
    ['change', { action: 'BEND', state: 5 }, ['action', 'state', 'taskId']],
    ['change', { action: 'UPSCALE', botType: 7 }, ['index', 'botType', 'taskId']],
    ['action', { accountFilter: { modes: ['SLOW'] } }, ['customId', 'taskId', 'accountFilter.modes']],
    ['action', { customId: 'MJ::JOB::fly', state: 5 }, ['customId', 'state', 'taskId']],
    ['simple-change', {}, ['content']],
    ['simple-change', { content: 5, taskId: 'task_1', task_id: 'task_1' }, ['content']],
    ['change', { task_id: 'task_1', action: 'REROLL', maxCost: 1 }, ['task_id', 'maxCost']],
    [
      'blend',
      { base64Array: [7], dimensions: 'ROUND', state: 5 },
      ['state', 'base64Array', 'base64Array[0]', 'dimensions'],
    ],
  ])('lists all that is wrong with %s %p by its fields', async (name, body, fields) => {
    const { properties, description } = (await send(name, body)).body;
    expect(properties.errors.map(({ param }: { param: string }) => param)).toEqual(fields);
    expect(properties.errors[0].message).toBe(description);
  });

  it.each<[what: string, name: string, body: (taskId: string) => JsonObject, code: number, field: string]>([
    ['a task that there is not', 'simple-change', () => ({ content: `${newTaskId()} U3` }), 3, 'content'],
    ['an image that the task lacks', 'simple-change', (taskId) => ({ content: `${taskId} U3` }), 4, 'content'],
    [
      'a video that the task lacks',
      'action',
      (taskId) => ({ taskId, customId: 'MJ::JOB::animate_high_extend::3::h::SOLO' }),
      4,
      'customId',
    ],
  ])('complains of %s by the field of %s that names it', async (_what, name, body, code, field) => {
    const answer = (await send(name, body(await made(SINGLE)))).body;
    expect([answer.code, answer.description]).toEqual([code, expect.stringMatching(new RegExp(`^${field}\\b`))]);
  });

  it.each<[name: string, body: JsonObject]>([
    ['blend', { base64Array: [A, A] }],
    ['describe', { base64: A }],
    ['shorten', { prompt: 'a very tall fox' }],
  ])('says that %s has no model for drawn images', async (name, body) => {
    const answer = await send(name, { ...body, botType: 'NIJI_JOURNEY' });
    expect(answer.body.properties.warnings).toEqual(['botType was ignored: the model has no such field']);
  });

  it('warns of fields that it does not read, at every depth, and refuses them with Strict', async () => {
    const drawing = { seed: 7, size: '1:1', version: '7', accountFilter: { modes: ['FAST'], remark: 'x' } };
    const fields = ['seed', 'size', 'version', 'accountFilter.remark'];
    const { body } = await send('imagine', { prompt: 'a fox', ...drawing });
    expect(body.properties.warnings).toEqual(
      fields.map((field) => `${field} was ignored: the model has no such field`),
    );
    const headers = { strict: 'true' };
    const strict = await api.post('/mj/submit/imagine', { prompt: 'a fox', ...drawing }, { key: caller.key, headers });
    expect(strict.body.properties.errors.map(({ param }: { param: string }) => param)).toEqual(fields);
  });

  it('names what has no effect as the body does', async () => {
    const { body } = await send('video', { image: A, state: 'order-1', accountFilter: { modes: ['RELAX'] } });
    expect(body.properties.warnings).toEqual([expect.stringMatching(/^accountFilter\.modes was ignored/)]);
    const inGerman = await api.post(
      '/mj/submit/video',
      { image: A, accountFilter: { modes: ['RELAX'] } },
      { key: caller.key, headers: { 'accept-language': 'de' } },
    );
    expect(inGerman.body.properties.warnings).toEqual([expect.stringMatching(/^accountFilter\.modes wurde ignoriert/)]);
  });

  it('videos go on by their buttons, and end with an image that comes as any other', async () => {
    const twoVideos = { videos: [{ url: ['https://media.example/1.mp4'] }, { url: ['https://media.example/2.mp4'] }] };
    const customId = 'MJ::JOB::animate_high_extend::2::h::SOLO';
    const taskId = await made({ ...twoVideos, buttons: [{ custom_id: customId, label: 'Extend 2 (High motion)' }] });
    expect(await taskOf((await send('action', { taskId, customId })).body.result)).toMatchObject({
      operation: 'imgtool.video',
      parentTaskId: taskId,
      input: { motion: 'high', index: 2, task_id: taskId },
    });
    const { input } = await taskOf(await submitted('video', { image: A, endImage: A }));
    expect(input).toMatchObject({ end_url: expect.stringContaining('/v1/files/') });
  });

  it('refuses with a code, in its own words, and without a trace', async () => {
    const [grid, rows] = [await made(GRID), await api.countRows()];
    const refused = async (name: string, body: unknown, key = caller.key) => {
      const answer = await send(name, body, key);
      const { code, description, ...rest } = answer.body;
      const properties = expect.objectContaining({ reason: expect.any(String) });
      expect(rest).toEqual({ failReason: description, result: null, properties });
      return [answer.status, code, description];
    };
    expect(await refused('change', { taskId: grid, action: 'SING' })).toEqual([
      400,
      4,
      expect.stringContaining('UPSCALE'),
    ]);
    expect(await refused('change', { taskId: grid })).toEqual([400, 4, 'action is required']);
    expect(await refused('change', { action: 'REROLL' })).toEqual([400, 4, 'taskId is required']);
    expect(await refused('change', { taskId: newTaskId(), action: 'REROLL' })).toEqual([
      404,
      3,
      'taskId: there is no such task',
    ]);
    expect(await refused('action', { taskId: grid })).toEqual([400, 4, 'customId is required']);
    for (const customId of ['MJ::CustomZoom::h', 'MJ::JOB::upsample::1::other']) {
      expect(await refused('action', { taskId: grid, customId })).toEqual([
        400,
        4,
        'customId: the operation is not available for this task',
      ]);
    }
    expect(await refused('imagine', { prompt: 'a fox' }, 'mg_nobody')).toEqual([401, 9, expect.any(String)]);
    expect(await api.countRows()).toEqual(rows);
  });
});

describe('clients of the older interface as they are', () => {
  const bare = A.slice(A.indexOf(',') + 1);
  const large = Buffer.concat([pngOf(64, 64), Buffer.alloc(9000)]).toString('base64');

  it('send their key in a header of their own, with or without its scheme', async () => {
    for (const secret of [caller.key, `Bearer ${caller.key}`]) {
      const headers = { 'mj-api-secret': secret };
      const { status, body } = await api.post('/mj/submit/imagine', { prompt: 'a fox' }, { headers });
      expect([status, body.code]).toEqual([200, 1]);
      const both = await api.get(`/mj/task/${body.result}/fetch`, { headers, key: caller.key });
      expect(both.status).toBe(200);
      expect((await api.get(`/mj/task/${body.result}/fetch`, { headers })).status).toBe(200);
    }
    const wrong = await api.post('/mj/submit/imagine', { prompt: 'a fox' }, { headers: { 'mj-api-secret': 'sk-1' } });
    expect([wrong.status, wrong.body.failReason]).toEqual([401, wrong.body.description]);
  });

  it.each(['fast', 'relax', 'turbo'])(
    'choose the speed %s by the first word of the path; what the body chooses counts more',
    async (speed) => {
      const path = `/mj-${speed}/mj/submit/imagine`;
      const submit = async (body: JsonObject) =>
        (await api.post(path, { prompt: 'a fox', ...body }, { key: caller.key })).body.result;
      const id = await submit({});
      expect((await taskOf(id)).input).toMatchObject({ speed });
      expect((await api.get(`/mj-${speed}/mj/task/${id}/fetch`, { key: caller.key })).body.id).toBe(id);
      const speedOf = async (accountFilter: Json) => {
        const { input } = await taskOf(await submit({ accountFilter }));
        return (input as JsonObject)['speed'];
      };
      expect(await speedOf({ modes: ['TURBO'] })).toBe('turbo');
      for (const nothing of [null, {}, { modes: [] }, { modes: [''] }, { modes: '' }, { modes: null }]) {
        expect(await speedOf(nothing)).toBe(speed);
      }
    },
  );

  it.each<[name: string, body: JsonObject]>([
    ['imagine', { prompt: 'a fox', base64Array: [bare] }],
    ['imagine', { prompt: 'a fox', base64: bare }],
    ['blend', { base64Array: [bare, large] }],
    ['describe', { base64: large }],
  ])('send images to %s in base64 without a prefix %#', async (name, body) => {
    const { input } = await taskOf(await submitted(name, body));
    for (const url of (input as { image_urls: string[] }).image_urls) expect(url).toMatch(/^http/);
  });

  it('read what an image was described as for its prompt, and the image that it was', async () => {
    const link = 'https://example.com/a.png';
    const id = await submitted('describe', { link });
    const description = '1 a fox 2 a cat';
    await finishImgtool(api, id, { description });
    const { body } = await fetched(id);
    expect(body).toMatchObject({ prompt: description, promptEn: description, description, imageUrl: link });
  });
});

describe('GET /mj/task/{id}/fetch', () => {
  it('shows a finished task in the words of the interface', async () => {
    const id = await made(GRID);
    const { status, body } = await fetched(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      action: 'IMAGINE',
      status: 'SUCCESS',
      progress: '100%',
      prompt: 'a fox',
      state: 'order-1',
      failReason: '',
      imageUrl: 'https://media.example/grid.png',
      imageUrls: TILES.map((url) => ({ url })),
      submitTime: expect.any(Number),
      finishTime: expect.any(Number),
    });
    expect(body.buttons[0]).toMatchObject({ customId: 'MJ::JOB::upsample::1::h', label: 'upsample' });
  });

  it('shows by which words an image was drawn, also where it was asked for without any', async () => {
    const parent = await made({ ...GRID, final_prompt: 'a fox --v 7 --s 100' });
    const words = ({ prompt, properties }: { prompt: string; properties: { finalPrompt: string } }) => [
      prompt,
      properties.finalPrompt,
    ];
    expect(words((await fetched(parent)).body)).toEqual(['a fox', 'a fox --v 7 --s 100']);
    const child = await submitted('change', { taskId: parent, action: 'UPSCALE', index: 1 });
    await finishImgtool(api, child, { ...SINGLE, final_prompt: 'a fox --v 7 --s 100' });
    const drawn = (await fetched(child)).body;
    expect(words(drawn)).toEqual(['a fox --v 7 --s 100', 'a fox --v 7 --s 100']);
    expect((await api.get(`/v1/imgtool/${child}`, { key: caller.key })).body.data.prompt).toBe('a fox --v 7 --s 100');
  });

  it('shows one that waits, and why one failed', async () => {
    const id = await submitted('imagine', { prompt: 'a fox' });
    expect((await fetched(id)).body).toMatchObject({ status: 'NOT_START', progress: '0%', finishTime: null });
    const error = taskError('timeout');
    await api.end(id, { kind: 'failed', error });
    expect((await fetched(id)).body).toMatchObject({ status: 'FAILURE', failReason: 'Task timeout', progress: '100%' });
  });

  it('shows what is held, then what it cost, among its properties', async () => {
    const id = await submitted('imagine', { prompt: 'a fox' });
    const money = async () => (await fetched(id)).body.properties;
    expect(await money()).toMatchObject({ cost: 0, credits_cost: 0, reserved: 0.05 });
    await finishImgtool(api, id, SINGLE);
    expect(await money()).toMatchObject({ cost: 0.000000001, credits_cost: 0.00000001, reserved: 0 });
  });

  it('has videos', async () => {
    const id = await submitted('video', { image: A });
    await finishImgtool(api, id, { videos: [{ url: ['https://media.example/1.mp4'], expires_at: 1 }] });
    expect((await fetched(id)).body).toMatchObject({ action: 'VIDEO', videoUrl: 'https://media.example/1.mp4' });
  });
});

it('POST /mj/task/list-by-condition shows those that there are, in the order asked for', async () => {
  const [first, second] = [await submitted('imagine', { prompt: 'a' }), await submitted('imagine', { prompt: 'b' })];
  const list = (body: unknown) => api.post('/mj/task/list-by-condition', body, { key: caller.key });
  const { status, body } = await list({ ids: [second, newTaskId(), 'nothing', first] });
  expect([status, body.map(({ id, prompt }: { id: string; prompt: string }) => [id, prompt])]).toEqual([
    200,
    [
      [second, 'b'],
      [first, 'a'],
    ],
  ]);
  for (const ids of [undefined, 'a', [1], Array(101).fill(first)]) expect((await list({ ids })).body.code).toBe(4);
});
