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
const IMAGES = '/openai/v1/images/generations';
const SPEECH = '/openai/v1/audio/speech';
const model = 'text-2.5-flash';
const messages = [{ role: 'user', content: 'Why do lighthouses blink?' }];
const image = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse' };
const speech = { model: 'ttsmodel-mini', voice: 'alloy', input: 'Hello.' };
const WHOLE = /"finish_reason":"stop"/;
const STREAM = /data: \[DONE\]/;

const OPEN_WEBUI = 'https://github.com/open-webui/open-webui/blob/main/backend/open_webui';
const LOBE_CHAT =
  'https://github.com/lobehub/lobe-chat/blob/main/packages/model-runtime/src/core/openaiCompatibleFactory';
const CHERRY_STUDIO = 'https://github.com/CherryHQ/cherry-studio/blob/main/src/renderer/src/aiCore';
const N8N = 'https://github.com/n8n-io/n8n/blob/master/packages/@n8n/nodes-langchain/nodes';
const DIFY = 'https://github.com/langgenius/dify-official-plugins/blob/main/models/openai_api_compatible/models';

/** Facts of requests; texts and models are this test's own. */
export const RECORDED_BODIES: readonly RecordedBody[] = [
  {
    program: 'Open WebUI',
    what: 'a chat with its parameters',
    source: `${OPEN_WEBUI}/utils/payload.py`,
    path: CHAT,
    body: {
      stream: true,
      model,
      messages,
      temperature: 0.7,
      top_p: 0.9,
      max_tokens: 128,
      frequency_penalty: 0,
      seed: 0,
      stop: ['END'],
    },
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
    body: {
      model,
      messages,
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      stream: true,
      stream_options: { include_usage: true },
    },
    holds: STREAM,
  },
  {
    program: 'Cherry Studio',
    what: 'a chat without thinking',
    source: `${CHERRY_STUDIO}/legacy/clients/openai/OpenAIApiClient.ts`,
    path: CHAT,
    body: {
      model,
      messages,
      temperature: 1,
      top_p: 1,
      stream: true,
      stream_options: { include_usage: true },
      enable_thinking: false,
    },
    holds: STREAM,
  },
  {
    program: 'n8n',
    what: 'a chat with the defaults of its node',
    source: `${N8N}/llms/LMChatOpenAi/LmChatOpenAi.node.ts`,
    path: CHAT,
    body: {
      model,
      messages,
      temperature: 0.7,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      max_tokens: -1,
      stream: false,
      response_format: { type: 'text' },
    },
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
];
