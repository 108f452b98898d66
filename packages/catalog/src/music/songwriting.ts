import { given } from '../given';
import { ignore, type Rule, reject, rewrite } from '../rules';

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

/** In this order: the mode is known, what belongs to the other one is gone, and what the mode needs is there. */
export const songwritingRules: readonly Rule<Songwriting>[] = [
  inferMode,
  ({ custom }) => (custom === true ? ignore('gpt_description', 'it is only read when custom is false') : undefined),
  ...CUSTOM_ONLY.map(
    (field): Rule<Songwriting> =>
      ({ custom }) =>
        custom === true ? undefined : ignore(field, 'it is only read when custom is true'),
  ),
  describedUnlessCustom,
];

/** Lyrics make it custom, then a description does not, then a title or tags do; without any of them it is not. */
function inferMode({ custom, prompt, gpt_description, tags, title }: Songwriting) {
  if (custom !== undefined) return undefined;
  if (prompt !== undefined) return rewrite({ custom: true });
  if (gpt_description !== undefined) return rewrite({ custom: false });
  return rewrite({ custom: tags !== undefined || title !== undefined });
}

function describedUnlessCustom({ custom, gpt_description }: Songwriting) {
  if (custom === true || gpt_description !== undefined) return undefined;
  return reject('gpt_description', 'gpt_description is required when custom is false');
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
