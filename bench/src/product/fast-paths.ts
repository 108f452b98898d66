import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage';
import type { Books } from './books';
import type { Load } from './http-contender';
import { MODEL } from './services';
import { authorization } from './submission-load';

const TEXT_MODEL = 'text-2.5-flash';
const SPEECH_MODEL = 'ttsmodel-mini';

const PROMPT = 'Tell of the tide in twenty sentences.';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const TEXT_BODY = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: PROMPT }] }] });
const CHAT_BODY = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: PROMPT }] });
const SPEECH_BODY = JSON.stringify({
  model: SPEECH_MODEL,
  input: 'The tide comes in.',
  voice: 'alloy',
  response_format: 'pcm',
});

export type Request = Pick<Load, 'url' | 'headers'> & { body: string };

/** The channels of both fast paths, at a vendor that speaks both protocols; and one of images, which are submitted and not made. */
export function writeFastChannels(stage: Stage, upstreamUrl: string): string {
  const path = join(stage.directory, 'fast.yaml');
  const channel = (id: string, protocol: string, base: string, model: string) =>
    `  - { id: ${id}, protocol: ${protocol}, base_url: "${upstreamUrl}${base}", api_key: "\${BENCH_UPSTREAM_KEY}", models: { ${model}: bench } }`;
  const channels = [
    channel('text', 'gemini', '/v1beta', TEXT_MODEL),
    channel('speech', 'openai-speech', '/v1', SPEECH_MODEL),
    channel('image', 'openai-images', '/v1', MODEL),
  ];
  writeFileSync(path, `channels:\n${channels.join('\n')}\n`);
  return path;
}

export function textThroughProduct(apiUrl: string, books: Books, method = 'generateContent'): Request {
  const url = `${apiUrl}/v1beta/models/${TEXT_MODEL}:${method}`;
  return { url, headers: { ...authorization(books), ...JSON_TYPE }, body: TEXT_BODY };
}

export function textDirect(upstreamUrl: string, method = 'generateContent'): Request {
  return { url: `${upstreamUrl}/v1beta/models/bench:${method}`, headers: JSON_TYPE, body: TEXT_BODY };
}

/**
 * Its OpenAI route to an OpenAI vendor, where it has nothing to translate: its way to pass other vendors' requests on
 * unchanged fails on Node 20.
 */
export function textThroughPortkey(portkeyUrl: string, upstreamUrl: string): Request {
  const to = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstreamUrl}/v1` };
  return {
    url: `${portkeyUrl}/v1/chat/completions`,
    headers: { ...JSON_TYPE, ...to, Authorization: 'Bearer bench' },
    body: CHAT_BODY,
  };
}

export function speechThroughProduct(apiUrl: string, books: Books): Request {
  return {
    url: `${apiUrl}/v1/audio/speech`,
    headers: { ...authorization(books), ...JSON_TYPE },
    body: SPEECH_BODY,
  };
}

export function speechDirect(upstreamUrl: string): Request {
  return { url: `${upstreamUrl}/v1/audio/speech`, headers: JSON_TYPE, body: SPEECH_BODY };
}
