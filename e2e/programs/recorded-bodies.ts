/** A request as a program sends it, which is no client that a test could run. */
interface RecordedBody {
  program: string;
  what: string;
  /** The public file that makes the request. */
  source: string;
  path: string;
  body: object;
  holds: RegExp;
}

const CHAT = '/openai/v1/chat/completions';
const RESPONSES = '/openai/v1/responses';
const IMAGES = '/openai/v1/images/generations';
const SPEECH = '/openai/v1/audio/speech';
const model = 'text-2.5-flash';
const messages = [{ role: 'user', content: 'Why do lighthouses blink?' }];
const image = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse' };
const speech = { model: 'ttsmodel-mini', voice: 'alloy', input: 'Hello.' };
const WHOLE = /"finish_reason":"stop"/;
const STREAM = /data: \[DONE\]/;
const chat = (fields: object) => ({ model, messages, ...fields });
const streamed = (fields: object) => chat({ stream: true, stream_options: { include_usage: true }, ...fields });
const PLAIN = { top_p: 1, presence_penalty: 0, frequency_penalty: 0 };
const NO_THOUGHT = Object.fromEntries([['thinking_budget', 0]]);
const SCHEMA = {
  type: 'object',
  properties: { why: { type: 'string' } },
  required: ['why'],
  additionalProperties: false,
};

const OPEN_WEBUI = 'https://github.com/open-webui/open-webui/blob/main/backend/open_webui';
const LOBE_CHAT =
  'https://github.com/lobehub/lobe-chat/blob/013f7307ea2d3e8e93a67de0263554c839228e9d/packages/model-runtime/src/core/openaiCompatibleFactory';
const CHERRY_STUDIO =
  'https://github.com/CherryHQ/cherry-studio/blob/0c3059ee83e3521dd4fa9045a9ba6a97b4fed831/src/renderer/src/aiCore';
const N8N = 'https://github.com/n8n-io/n8n/blob/master/packages/@n8n/nodes-langchain/nodes';
const DIFY = 'https://github.com/langgenius/dify-official-plugins/blob/main/models/openai_api_compatible/models';
const MIDJOURNEY_WEB =
  'https://github.com/Dooy/chatgpt-web-midjourney-proxy/blob/04a1dadff836e6369028af1b5a925f962b0ffcf1/src';

/** Facts of requests; texts and models are this test's own. */
export const RECORDED_BODIES: readonly RecordedBody[] = [
  {
    program: 'Open WebUI',
    what: 'a chat with its parameters',
    source: `${OPEN_WEBUI}/utils/payload.py`,
    path: CHAT,
    body: chat({
      stream: true,
      temperature: 0.7,
      top_p: 0.9,
      max_tokens: 128,
      frequency_penalty: 0,
      seed: 0,
      stop: ['END'],
    }),
    holds: STREAM,
  },
  {
    program: 'Open WebUI',
    what: 'an image',
    source: `${OPEN_WEBUI}/routers/images.py`,
    path: IMAGES,
    body: { ...image, n: 1, size: '512x512', response_format: 'b64_json' },
    holds: /"b64_json":"iVBOR/,
  },
  {
    program: 'Open WebUI',
    what: 'a text to be read aloud',
    source: `${OPEN_WEBUI}/routers/audio.py`,
    path: SPEECH,
    body: speech,
    holds: /^(?:ID3|\ufffd)/,
  },
  {
    program: 'LobeChat',
    what: 'a chat with its defaults',
    source: `${LOBE_CHAT}/index.ts`,
    path: CHAT,
    body: streamed({ temperature: 1, ...PLAIN }),
    holds: STREAM,
  },
  {
    program: 'LobeChat',
    what: 'a question for an object',
    source: `${LOBE_CHAT}/index.ts`,
    path: CHAT,
    body: chat({
      response_format: { json_schema: { name: 'answer', schema: SCHEMA, strict: true }, type: 'json_schema' },
    }),
    holds: WHOLE,
  },
  {
    program: 'LobeChat',
    what: 'a question by the newer interface',
    source: `${LOBE_CHAT}/index.ts`,
    path: RESPONSES,
    body: {
      model,
      input: messages,
      reasoning: { effort: 'low', summary: 'auto' },
      store: false,
      stream: true,
      temperature: 1,
      top_p: 1,
    },
    holds: /"type":"response.completed"/,
  },
  {
    program: 'LobeChat',
    what: 'an image',
    source: `${LOBE_CHAT}/createImage.ts`,
    path: IMAGES,
    body: { ...image, n: 1, size: '1024x1024', quality: 'low' },
    holds: /"b64_json":"iVBOR/,
  },
  {
    program: 'Cherry Studio',
    what: 'a chat without thinking',
    source: `${CHERRY_STUDIO}/legacy/clients/openai/OpenAIApiClient.ts`,
    path: CHAT,
    body: streamed({ temperature: 1, top_p: 1, enable_thinking: false }),
    holds: STREAM,
  },
  {
    program: 'Cherry Studio',
    what: 'a chat with a model of Gemini’s that is not to think',
    source: `${CHERRY_STUDIO}/legacy/clients/openai/OpenAIApiClient.ts`,
    path: CHAT,
    body: streamed({ extra_body: { google: { thinking_config: NO_THOUGHT } } }),
    holds: STREAM,
  },
  {
    program: 'n8n',
    what: 'a chat with the defaults of its node',
    source: `${N8N}/llms/LMChatOpenAi/LmChatOpenAi.node.ts`,
    path: CHAT,
    body: chat({ temperature: 0.7, ...PLAIN, max_tokens: -1, stream: false, response_format: { type: 'text' } }),
    holds: WHOLE,
  },
  {
    program: 'Dify',
    what: 'its trial of a key',
    source: `${DIFY}/llm/llm.py`,
    path: CHAT,
    body: { model, max_tokens: 5, messages: [{ role: 'user', content: 'ping' }], thinking: { type: 'disabled' } },
    holds: /"choices":/,
  },
  {
    program: 'Dify',
    what: 'its trial of a key with a floor of tokens',
    source: `${DIFY}/llm/llm.py`,
    path: CHAT,
    body: { model, max_completion_tokens: 16, messages: [{ role: 'user', content: 'ping' }], stream: false },
    holds: /"choices":/,
  },
  {
    program: 'ChatGPT Web Midjourney Proxy',
    what: 'an image to draw',
    source: `${MIDJOURNEY_WEB}/api/mjapi.ts`,
    path: '/mj/submit/imagine',
    body: { base64Array: [], notifyHook: '', prompt: 'a lighthouse', state: '', botType: 'MID_JOURNEY' },
    holds: /"code":1,.*"result":"task_/,
  },
  {
    program: 'ChatGPT Web Midjourney Proxy',
    what: 'a list of tasks to read',
    source: `${MIDJOURNEY_WEB}/api/mjapi.ts`,
    path: '/mj/task/list-by-condition',
    body: { ids: ['1320098173412546'] },
    holds: /^\[\]$/,
  },
];
