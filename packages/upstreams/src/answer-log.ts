import { AsyncLocalStorage } from 'node:async_hooks';
import { bytesIn, isJsonObject, type Json } from '@mediagate/contracts';
import { AnswerFile } from './answer-files';
import { maskedBeginning } from './fault-detail';
import type { FileBody, JsonBody } from './json-body';

/** The vendor's last answer while `logAnswers` ran: its shape, with its texts cut. */
export interface AnswerLog {
  last?: { status: number; body: Json } | undefined;
}

const MAX_ITEMS = 20;
const MAX_DEPTH = 6;
const MAX_TEXT_CHARS = 200;
/** Characters of an excerpt. */
const MAX_CHARS = 2_000;

const current = new AsyncLocalStorage<AnswerLog>();

/** Answers to requests that `work` makes are logged in `log`. */
export function logAnswers<Result>(log: AnswerLog, work: () => Promise<Result>): Promise<Result> {
  return current.run(log, work);
}

/** The last one stays. An image in base64 is no part of it: only what is kept is copied. */
export function logAnswer<Answer extends { status: number; body: JsonBody | FileBody }>(answer: Answer): Answer {
  const log = current.getStore();
  if (log === undefined) return answer;
  const { status, body } = answer;
  log.last = { status, body: bodyOf(body) };
  return answer;
}

function bodyOf(body: JsonBody | FileBody): Json {
  switch (body.kind) {
    case 'json':
      return shorten(body.value as Json, 0);
    case 'file':
      return `[${bytesIn(body.bytes)} bytes]`;
    case 'unreadable':
      return `[${body.why}]`;
    default:
      return body satisfies never;
  }
}

function shorten(value: Json, depth: number): Json {
  if (typeof value === 'string') {
    return value.length <= MAX_TEXT_CHARS ? value : `[${value.length} characters]`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof AnswerFile) return `[${value.totalBytes} bytes]`;
  if (depth >= MAX_DEPTH) return '[…]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => shorten(item, depth + 1));
  const fields = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(fields.map(([name, field]) => [name, shorten(field as Json, depth + 1)]));
}

/** Fields that hold a caller's words, or the vendor's version of them. */
const CALLERS_WORDS = /prompt|lyric|caption|description|title|tags|style|text|content|transcript|query/i;
/** Shorter values of other fields are names and sizes, which an operator wants to see. */
const LONG_TEXT_CHARS = 24;
const MAX_PROMPTS = 50;

/**
 * The answer for operators: without the channel's key, the texts of the caller, links and long tokens; 2,000 characters at most.
 * Undefined: nothing was answered.
 */
export function answerExcerpt({ last }: AnswerLog, secrets: { apiKey: string; input: Json }): string | undefined {
  if (last === undefined) return undefined;
  const { apiKey, input } = secrets;
  const text = `HTTP ${last.status} ${JSON.stringify(withoutWords(last.body))}`;
  const prompts = textsOf(input, '').slice(0, MAX_PROMPTS);
  return maskedBeginning(text, MAX_CHARS, { apiKey, prompts });
}

function withoutWords(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]): [string, Json] => {
    const isWords = typeof field === 'string' && CALLERS_WORDS.test(name);
    return [name, isWords ? '[text]' : withoutWords(field as Json)];
  });
  return Object.fromEntries(fields);
}

/** The texts that a caller wrote, wherever they stand in the input of a task. */
function textsOf(value: Json, name: string): string[] {
  if (typeof value === 'string') return CALLERS_WORDS.test(name) || value.length > LONG_TEXT_CHARS ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, name));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, field]) => textsOf(field as Json, key)) : [];
}
