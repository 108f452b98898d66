import type { Request } from 'express';
import { withoutDirectives } from '../faults/directive';
import type { Call, JsonObject } from '../vendor-call/contract';
import { isJsonObject, parseJson, readBytes } from '../vendor-call/request-body';
import { compileShape, pathOf } from '../vendor-call/shape';
import { bannedWordIn } from './banned-words';
import { type Mode, type ReadPrompt, readPrompt } from './prompt';
import { banned, invalid } from './wire';

/** Fields of every submit. */
export interface General {
  notifyHook?: string;
  state?: string;
  botType?: string;
  accountFilter?: { modes?: Mode[]; remix?: boolean; nijiRemix?: boolean };
}

/** Five images of 12 MiB in base64. */
const MAX_BODY_BYTES = 84 * 1024 * 1024;
const MAX_PROMPT_CHARS = 8_192;

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
};

export const field = {
  prompt: { type: 'string', maxLength: MAX_PROMPT_CHARS },
  image: { type: 'string', minLength: 1 },
  id: { type: 'string', minLength: 1, maxLength: 100 },
};

export async function readJsonBody(request: Request): Promise<JsonObject> {
  const read = await readBytes(request, MAX_BODY_BYTES);
  const body = read.kind === 'bytes' ? parseJson(read.bytes) : undefined;
  if (isJsonObject(body)) return body;
  throw invalid('the body is no JSON object, or too large');
}

/** A check that gives the typed request. Fields that a path does not know are ignored by the vendor, and warned of here. */
export function compileBody<T>(properties: Record<string, object>, required: (keyof T & string)[]) {
  const all = { ...general, ...properties };
  const check = compileShape<T & General>({ type: 'object', required, properties: all });
  return (body: JsonObject, { warn }: Pick<Call, 'warn'>): T & General => {
    const shape = check(body);
    if (!shape.ok) throw invalid(`${pathOf(shape.error).join('.')} ${shape.error.message ?? 'is wrong'}`);
    for (const name of Object.keys(body)) {
      if (!Object.hasOwn(all, name)) warn(`unknown field '${name.slice(0, 60)}'`);
    }
    return shape.value;
  };
}

/** Reads the words of a request; throws the vendor's refusal of forbidden ones. */
export function checkPrompt(text: string, { botType }: Pick<General, 'botType'>): ReadPrompt {
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
