import type { JsonObject } from '@mediagate/contracts';
import { given } from '../given';
import { missing, type Rule, rewrite } from '../rules';

/** The fields of the two modes, as they stand after the schema. */
interface Songwriting {
  custom?: boolean;
  prompt?: string;
  title?: string;
  tags?: string;
  negative_tags?: string;
  auto_lyrics?: boolean;
  style_weight?: number;
  weirdness_constraint?: number;
  audio_weight?: number;
  gpt_description?: string;
  vocal_gender?: keyof typeof GENDERS;
}

const GENDERS = { m: 'male', f: 'female', male: 'male', female: 'female' } as const;

const CUSTOM_ONLY = [
  'prompt',
  'title',
  'tags',
  'negative_tags',
  'auto_lyrics',
  'style_weight',
  'weirdness_constraint',
  'audio_weight',
] as const;

/**
 * The rules of every track that is written. Fields of the other mode are dropped without a warning, and custom mode requires
 * none of its own: the vendor invents the missing ones.
 */
export const writtenTrack = {
  ignores: ofTheOtherMode,
  rules: [inferMode, describedUnlessCustom] satisfies readonly Rule<Songwriting>[],
};

function ofTheOtherMode(input: JsonObject): string[] {
  const custom = modeOf(input);
  // The schema refuses any other type, and with it the body.
  if (typeof custom !== 'boolean') return [];
  const others = custom ? ['gpt_description'] : CUSTOM_ONLY;
  return others.filter((field) => input[field] !== undefined);
}

function inferMode(input: Songwriting) {
  return input.custom === undefined ? rewrite({ custom: modeOf(input) }) : undefined;
}

/** Without `custom`, the first of these that was sent decides: lyrics (custom), a description (not), a title or tags (custom). */
function modeOf({ custom, prompt, gpt_description, tags, title }: { [K in keyof Songwriting]?: unknown }): unknown {
  if (custom !== undefined) return custom;
  if (prompt !== undefined) return true;
  return gpt_description === undefined && (tags !== undefined || title !== undefined);
}

function describedUnlessCustom(input: Songwriting) {
  if (modeOf(input) === true || input.gpt_description !== undefined) return undefined;
  return missing('gpt_description', 'required_when', { other: 'custom', value: 'false' });
}

/** The same in the words of the request. */
export function songwritingRequest(input: Songwriting) {
  return given({
    custom: input.custom,
    prompt: input.prompt,
    title: input.title,
    tags: input.tags,
    negativeTags: input.negative_tags,
    autoLyrics: input.auto_lyrics,
    styleWeight: input.style_weight,
    weirdness: input.weirdness_constraint,
    audioWeight: input.audio_weight,
    description: input.gpt_description,
    vocalGender: input.vocal_gender && GENDERS[input.vocal_gender],
  });
}
