import { forAllTests } from '@mediagate/testkit';
import OpenAI from 'openai';
import { answer, refuses, says, streams } from '../../../../test/text-upstream';
import { BODY, FLASH, openTextWorld, type TextWorld } from '../../../../test/text-world';

const world = forAllTests(() => openTextWorld({ times: { silenceMs: 20 } }));
afterEach(() => world.quiet());

const COMMENT = ':\n\n';
const MODEL = 'text-2.5-flash';
const STREAMS: Record<string, [path: string, body: object]> = {
  'chat completions': [
    '/openai/v1/chat/completions',
    { model: MODEL, messages: [{ role: 'user', content: 'Why?' }], stream: true },
  ],
  responses: ['/openai/v1/responses', { model: MODEL, input: 'Why?', stream: true }],
};

/** Lets through what waits for it, once it is opened. */
function openGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Delays the vendor's answer until the caller has read a comment. */
async function askSilently(name: string, script: Parameters<TextWorld['vendor']['next']>[0]) {
  const caller = await world.caller();
  const [path, body] = STREAMS[name] as [string, object];
  const heard = openGate();
  world.vendor.next((...call) => void heard.opened.then(() => script(...call)));
  const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' };
  const response = await fetch(`${world.api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const reader = (response.body as NonNullable<typeof response.body>).getReader();
  const first = Buffer.from((await reader.read()).value ?? []).toString();
  heard.open();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { caller, response, first, text: text.replaceAll(COMMENT, '') };
    text += Buffer.from(value).toString();
  }
}

describe.each(Object.keys(STREAMS))('a stream of %s whose model thinks', (name) => {
  it('sends its head and a comment, then the answer as ever', async () => {
    const { response, first, text } = await askSilently(name, streams([answer('Clear.')]));
    expect([response.status, response.headers.get('content-type'), first]).toEqual([200, 'text/event-stream', COMMENT]);
    expect(response.headers.get('x-task-id')).toMatch(/^task_/);
    expect(text).toContain('Clear.');
    expect(text).not.toContain('"error":{');
  });

  it('reports by an event what fails after that, and costs nothing', async () => {
    const { caller, response, text } = await askSilently(name, refuses(400, 'INVALID_ARGUMENT'));
    expect([response.status, text.includes('"error":{'), text.includes('[DONE]')]).toEqual([200, true, false]);
    await world.quiet();
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 0n });
  });
});

describe('a stream of the native endpoint whose model thinks', () => {
  /** Delays the vendor's answer until OpenAI's stream, asked later, has sent a comment. */
  async function askLate(script: Parameters<TextWorld['vendor']['next']>[0]) {
    const { key } = await world.caller();
    const [asked, late] = [openGate(), openGate()];
    world.vendor.next((...call) => {
      asked.open();
      void late.opened.then(() => script(...call));
    });
    const native = world.api.post(`${FLASH}:streamGenerateContent?alt=sse`, BODY, { key });
    await asked.opened;
    await askSilently('responses', streams([answer('Clear.')]));
    late.open();
    return native;
  }

  it('has no comments, at which Google’s clients break', async () => {
    const { status, body } = await askLate(streams([answer('Late.'), answer('Clear.')]));
    expect(status).toBe(200);
    expect(body).toMatch(/^data: .*Late\..*\r\n\r\ndata: .*Clear\..*\r\n\r\n$/);
  });

  it('has its status, however late', async () => {
    const { status, body } = await askLate(refuses(400, 'INVALID_ARGUMENT'));
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  });
});

it('a quick refusal has its status', async () => {
  const { key } = await world.caller();
  const [path, body] = STREAMS['chat completions'] as [string, object];
  expect((await world.api.post(path, { ...body, max_tokens: -5 }, { key })).status).toBe(400);
});

it('OpenAI’s client throws such an event as an error', async () => {
  const { key } = await world.caller();
  const client = new OpenAI({ apiKey: key, baseURL: `${world.api.url}/openai/v1`, maxRetries: 0 });
  const heard = openGate();
  world.vendor.next((...call) => void heard.opened.then(() => says({ error: { code: 400 } }, 400)(...call)));
  const stream = await client.responses.create({ model: MODEL, input: 'Why?', stream: true });
  heard.open();
  const read = async () => {
    for await (const _event of stream);
  };
  await expect(read()).rejects.toThrow();
});
