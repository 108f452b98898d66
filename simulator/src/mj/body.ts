import type { Request } from 'express';
import { withoutDirectives } from '../faults/directive';
import type { Canvas } from '../media/drawing';
import { bringImage, type ImageLimits } from '../media/named-image';
import { bodyCheck, jsonReader } from '../vendor-call/json-body';
import type { Fields } from '../vendor-call/shape';
import { type Mode, type ReadPrompt, readPrompt } from './prompt';
import type { MjTools } from './task';
import { banned, invalid } from './wire';

/** Five images of 12 MiB in base64. */
const MAX_BODY_BYTES = 84 * 1024 * 1024;
const MAX_PROMPT_CHARS = 8_192;

/** Fields of every submit. */
const general = {
  notifyHook: { type: 'string', maxLength: 2_000 },
  state: { type: 'string', maxLength: 255 },
  botType: { enum: ['MID_JOURNEY', 'NIJI_JOURNEY'] },
  accountFilter: {
    type: 'object',
    properties: {
      modes: { type: 'array', items: { enum: ['RELAX', 'FAST', 'TURBO'] } },
      instanceId: { type: 'string' },
      remix: { type: 'boolean' },
      nijiRemix: { type: 'boolean' },
    },
  },
} as const;
export type General = Fields<typeof general>;

export const field = {
  prompt: { type: 'string', maxLength: MAX_PROMPT_CHARS },
  image: { type: 'string', minLength: 1 },
  id: { type: 'string', minLength: 1, maxLength: 100 },
} as const;

export const readJsonBody = jsonReader(MAX_BODY_BYTES, () => invalid('the body is no JSON object, or too large'));

export const compileBody = <const Properties extends object, const Required extends string = never>(
  properties: Properties,
  required: Required[],
) =>
  bodyCheck<object, string, Fields<Properties, Required> & General>(
    { properties: { ...general, ...properties }, required },
    invalid,
  );

/** Reads the words of a request; throws the vendor's refusal of forbidden ones. */
export function checkPrompt(text: string, { botType }: { botType?: string }): ReadPrompt {
  const clean = withoutDirectives(text);
  const word = bannedWordIn(clean);
  if (word !== undefined) throw banned(word, clean);
  return readPrompt(clean, { isNiji: botType === 'NIJI_JOURNEY' });
}

const modeOfPath: Record<string, Mode> = { '/mj-relax/mj': 'RELAX', '/mj-fast/mj': 'FAST', '/mj-turbo/mj': 'TURBO' };

/** How fast the work is to be: the path says it, or the filter of accounts, or a flag in the prompt. */
export function modeOf(request: Request, { accountFilter }: General, prompt: ReadPrompt | undefined): Mode {
  return modeOfPath[request.baseUrl] ?? accountFilter?.modes?.[0] ?? prompt?.mode ?? 'FAST';
}

/** Words that stand for the vendor's own list. */
const bannedWord = /\b(?:nude|naked|nsfw|porn\w*|gore|dismember\w*)\b/i;

/** The first of them in a text; undefined when there is none. */
function bannedWordIn(text: string): string | undefined {
  return bannedWord.exec(text)?.[0];
}

const LIMITS: ImageLimits = { maxBytes: 12 * 1024 * 1024, formats: ['jpeg', 'png', 'webp', 'gif'] };

/** An image given as a data URL; throws the vendor's refusal, as it does of a link. */
export function photoOfBase64(name: string, value: string, tools: MjTools): Promise<Canvas> {
  if (!value.startsWith('data:')) throw invalid(`${name}: the base64 format is wrong`);
  return photoOf(name, value, tools);
}

/** An image given as a data URL or a link; throws the vendor's refusal. */
export async function photoOf(name: string, value: string, tools: MjTools): Promise<Canvas> {
  const image = await bringImage(value, tools, LIMITS);
  if ('problem' in image) throw invalid(`${name}: ${image.problem}`);
  return image;
}
