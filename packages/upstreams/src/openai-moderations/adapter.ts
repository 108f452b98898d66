import { type Fault, type JsonObject, message } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { CallContext, Probe, ServedFamily } from '../contract';
import type { HttpClient } from '../http-client';
import { list, object } from '../json-guards';
import { lack } from '../lacks';
import { openAiErrors } from '../openai-images/errors';
import { createOpenAiProbe } from '../openai-models';
import type { Clients } from '../protocol';
import { callVendor, cannotCarry, unreadable } from '../vendor-call';

/** A submission waits for the verdict, and for no longer than this whatever the number of channels. */
const MAX_TIMEOUT_SECONDS = 5;
/** Leaves time to ask another channel. */
const TIMEOUT_SECONDS = 3;
const OPTIONS: OptionRules = { timeout_seconds: { kind: 'integer', min: 1, max: MAX_TIMEOUT_SECONDS } };

const ANSWER_MAX_BYTES = 1024 * 1024;
/** More than any model takes. */
const MAX_IMAGES = 64;

export interface Moderator {
  protocol: string;
  families: readonly ServedFamily[];
  /** The fault in a channel's `options`, as a sentence for its operator; undefined: none. */
  checkOptions(options: JsonObject): string | undefined;
  probe: Probe;
  /**
   * The vendor's verdict on a prompt and images (http, https or data URLs), within 3 seconds or the channel's
   * `timeout_seconds`. An input with neither prompt nor images passes unasked. Never throws for what the vendor or the
   * network does; a fault means that there is no verdict.
   */
  moderate(input: ModerationInput, context: CallContext): Promise<Verdict>;
}

export interface ModerationInput {
  prompt?: string;
  imageUrls: readonly string[];
}

export type Verdict =
  | { kind: 'passed' }
  /** The vendor's words for what it found, as `violence/graphic`, sorted; it may give none. */
  | { kind: 'flagged'; categories: string[] }
  | { kind: 'refused'; fault: Fault };

/**
 * Verdicts by `POST /moderations`. The vendor takes one image a request: the prompt goes with the first, further images
 * in requests of their own, all at once and under the same deadline. One flag is enough, even if another answer was lost.
 */
export default function createModerator({ http }: Pick<Clients, 'http'>): Moderator {
  return {
    protocol: 'openai-moderations',
    families: ['moderation'],
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createOpenAiProbe(http),
    async moderate(input, context) {
      const { prompt, imageUrls } = input;
      if (imageUrls.length > MAX_IMAGES)
        return {
          kind: 'refused',
          fault: cannotCarry(lack(message('takes_no_more_images', { limit: MAX_IMAGES }))).fault,
        };
      const asked = questions(input).map((question) => ask(http, { question, prompt: prompt ?? '' }, context));
      return together(await Promise.all(asked));
    },
  };
}

function questions({ prompt, imageUrls }: ModerationInput): JsonObject[][] {
  const words = prompt === undefined ? [] : [{ type: 'text', text: prompt }];
  const [first = [], ...others] = imageUrls.map((url) => [{ type: 'image_url', image_url: { url } }]);
  const leading = [...words, ...first];
  return leading.length === 0 ? [] : [leading, ...others];
}

async function ask(
  http: HttpClient,
  { question, prompt }: { question: JsonObject[]; prompt: string },
  { endpoint, signal }: CallContext,
): Promise<Verdict> {
  const { baseUrl, apiKey, model, options } = endpoint;
  const seconds = options['timeout_seconds'];
  const reply = await callVendor(http, {
    method: 'POST',
    url: `${baseUrl}/moderations`,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    endpoint,
    body: { json: { model, input: question } },
    signal,
    timeoutMs: (typeof seconds === 'number' ? seconds : TIMEOUT_SECONDS) * 1000,
    maxResponseBytes: ANSWER_MAX_BYTES,
    dialect: openAiErrors,
    confidential: { apiKey, prompt },
  });
  return reply.ok ? readVerdict(reply.body) : { kind: 'refused', fault: reply.fault };
}

/** Only a verdict that is there and says so lets anything pass. */
function readVerdict(body: JsonObject): Verdict {
  const results = (list(body['results']) ?? []).map(object);
  const flags = results.map(({ flagged }) => flagged);
  if (flags.includes(true)) return { kind: 'flagged', categories: results.flatMap(categoriesOf) };
  if (flags.length > 0 && flags.every((flag) => flag === false)) return { kind: 'passed' };
  return { kind: 'refused', fault: unreadable('no verdict') };
}

function categoriesOf({ categories }: JsonObject): string[] {
  return Object.entries(object(categories)).flatMap(([name, found]) => (found === true ? [name] : []));
}

function together(verdicts: readonly Verdict[]): Verdict {
  const flagged = verdicts.flatMap((verdict) => (verdict.kind === 'flagged' ? [verdict.categories] : []));
  if (flagged.length > 0) return { kind: 'flagged', categories: [...new Set(flagged.flat())].sort() };
  return verdicts.find(({ kind }) => kind === 'refused') ?? { kind: 'passed' };
}
