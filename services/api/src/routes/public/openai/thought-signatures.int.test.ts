import type { JsonObject } from '@mediagate/contracts';
import OpenAI from 'openai';
import { startTestApi, type TestApi } from '../../../../test/test-api';
import { openTextVendor, type Script, type TextVendor } from '../../../../test/text-upstream';

const SIGNED = 'c2lnbmF0dXJlLW9mLXRob3VnaHQ=';
const SAID = 'dGV4dC1zaWduYXR1cmU=';
const SKIP = 'skip_thought_signature_validator';
const MODEL = 'text-2.5-flash';

/** Vendors of a model that refuses a call of its own without the signature that it gave: the native protocol, and its vendor's chat completions. */
const VENDORS = {
  gemini: { model: 'gemini-3-flash-preview', path: '/v1beta', script: nativeVendor },
  'openai-chat': { model: 'google/gemini-3-flash-preview', path: '/v1beta/openai', script: chatVendor },
};

let api: TestApi;
const vendors = new Map<string, TextVendor>();
beforeAll(async () => {
  for (const protocol of Object.keys(VENDORS) as (keyof typeof VENDORS)[]) {
    vendors.set(protocol, await openTextVendor(VENDORS[protocol].script));
  }
  api = await startTestApi({ textChannels: [] });
});
afterAll(async () => {
  await api.stop();
  for (const vendor of vendors.values()) await vendor.close();
});

const EVENTS = { 'content-type': 'text/event-stream' };

function nativeVendor(...[response, { body, path }]: Parameters<Script>): void {
  const { contents } = JSON.parse(body) as { contents: { role: string; parts: JsonObject[] }[] };
  const calls = contents.flatMap(({ parts }) => parts.filter((part) => part['functionCall']).slice(0, 1));
  if (calls.some((call) => ![SIGNED, SKIP].includes(String(call['thoughtSignature'])))) return void refuse(response);
  const call = { functionCall: { name: 'look', args: { a: 1 } }, thoughtSignature: SIGNED };
  const parts =
    calls.length > 0 ? [{ text: 'Clear.', thoughtSignature: SAID }] : [call, { functionCall: call.functionCall }];
  const answer = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata: {} };
  if (!path.includes('stream')) return void reply(response, answer);
  response.writeHead(200, EVENTS).end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
}

function chatVendor(...[response, { body }]: Parameters<Script>): void {
  const { messages, stream } = JSON.parse(body) as { messages: Record<string, JsonObject[]>[]; stream?: boolean };
  const calls = messages.flatMap(({ tool_calls: made }) => made?.slice(0, 1) ?? []);
  const signatures = calls.map((call) => JSON.stringify(call['extra_content'] ?? null));
  const known = [SIGNED, SKIP].map((signature) => JSON.stringify({ google: { thought_signature: signature } }));
  if (signatures.some((signature) => !known.includes(signature))) return void refuse(response);
  const named = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{"a":1}' } });
  const extra = (signature: string) => ({ extra_content: { google: { thought_signature: signature } } });
  const message =
    calls.length > 0
      ? { role: 'assistant', content: 'Clear.', ...extra(SAID) }
      : { role: 'assistant', content: null, tool_calls: [{ ...named('c1'), ...extra(SIGNED) }, named('c2')] };
  const choice = (fields: JsonObject) => ({ id: 'r', choices: [{ index: 0, finish_reason: 'stop', ...fields }] });
  if (!stream) return void reply(response, choice({ message }));
  const { tool_calls: made, ...delta } = message as JsonObject;
  const numbered = (made as JsonObject[] | undefined)?.map((call, index) => ({ index, ...call }));
  const event = choice({ delta: { ...delta, ...(numbered && { tool_calls: numbered }) } });
  response.writeHead(200, EVENTS).end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
}

function reply(response: Parameters<Script>[0], body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: Parameters<Script>[0]): void {
  reply(response, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'missing a thought_signature' } }, 400);
}

/** Two turns of an agent by one surface; `drops`: its client knows no signatures. Returns both answers. */
type Turns = (ask: Ask, drops: boolean) => Promise<[first: unknown, second: unknown]>;
interface Ask {
  client: OpenAI;
  key: string;
}

const dropping = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (name, member) => (/extra_content|thoughtSignature/.test(name) ? undefined : member)),
  );

const TOOL = { name: 'look', parameters: { type: 'object', properties: {} } };

function byChat(stream: boolean): Turns {
  return async ({ client }, drops) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Look.' }];
    const body = { model: MODEL, messages, tools: [{ type: 'function' as const, function: TOOL }] };
    const ask = async () => {
      const completion = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      return completion.choices[0]?.message as OpenAI.ChatCompletionMessage;
    };
    const first = await ask();
    messages.push(drops ? dropping(first) : first);
    for (const { id } of first.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: '{}' });
    return [first, await ask()];
  };
}

function byResponses(stream: boolean): Turns {
  return async ({ client }, drops) => {
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Look.' }];
    const body = { model: MODEL, input, tools: [{ type: 'function' as const, strict: false, ...TOOL }] };
    const ask = async () => (stream ? client.responses.stream(body).finalResponse() : client.responses.create(body));
    const first = await ask();
    input.push(...((drops ? dropping(first.output) : first.output) as OpenAI.Responses.ResponseInputItem[]));
    for (const item of first.output) {
      if (item.type === 'function_call')
        input.push({ type: 'function_call_output', call_id: item.call_id, output: '{}' });
    }
    return [first.output, (await ask()).output];
  };
}

function natively(path: string): Turns {
  return async ({ key }, drops) => {
    const contents: JsonObject[] = [{ role: 'user', parts: [{ text: 'Look.' }] }];
    const ask = async () => {
      const { status, body } = await api.post(path, { contents, tools: [{ functionDeclarations: [TOOL] }] }, { key });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return (body.data ?? body).candidates[0].content;
    };
    const first = await ask();
    contents.push(drops ? dropping(first) : first);
    contents.push({
      role: 'user',
      parts: [
        { functionResponse: { name: 'look', response: {} } },
        { functionResponse: { name: 'look', response: {} } },
      ],
    });
    return [first, await ask()];
  };
}

const SURFACES: Record<string, Turns> = {
  'chat completions': byChat(false),
  'chat completions in pieces': byChat(true),
  responses: byResponses(false),
  'responses as events': byResponses(true),
  'the native endpoint': natively(`/v1beta/models/${MODEL}:generateContent`),
  'the vendor’s client': natively(`/gemini/v1beta/models/${MODEL}:generateContent`),
};
const PAIRS = Object.keys(VENDORS).flatMap((protocol) =>
  Object.keys(SURFACES).map((surface) => [surface, protocol] as const),
);

describe.each(PAIRS)('by %s, of a vendor of %s', (surface, protocol) => {
  const { model, path } = VENDORS[protocol as keyof typeof VENDORS];
  const vendor = () => vendors.get(protocol) as TextVendor;
  const turns = SURFACES[surface] as Turns;
  const signaturesSent = () =>
    vendor()
      .heard.at(-1)
      ?.body.match(new RegExp(`${SIGNED}|${SKIP}`, 'g')) ?? [];

  async function opened(): Promise<Ask> {
    const channel = vendor().channel({ protocol, models: new Map([[MODEL, model]]) });
    api.configure({ textChannels: [{ ...channel, baseUrl: channel.baseUrl.replace('/v1beta', path) }] });
    const { key } = await api.createCaller();
    return { key, client: new OpenAI({ apiKey: key, baseURL: `${api.url}/openai/v1`, maxRetries: 0 }) };
  }

  it('the signature of a call is handed out and goes back with the next turn, as the signature of a text does', async () => {
    const [first, second] = await turns(await opened(), false);
    expect([JSON.stringify(first).split(SIGNED).length, JSON.stringify(second).includes(SAID)]).toEqual([2, true]);
    expect(signaturesSent()).toEqual([SIGNED]);
  });

  it('a call whose signature its client dropped is sent with the word that skips the check', async () => {
    await turns(await opened(), true);
    expect(signaturesSent()).toEqual([SKIP]);
  });
});
