import { DELIVERY_STATES, NOTICE_KINDS, NOTICE_MEDIA } from '@mediagate/contracts';
import { LANGUAGES } from '@mediagate/languages';
import type { JsonSchema } from '../operation';
import { anyObject, anyWord, boolean, integer, listOf, number, object, oneOf, string } from './build';

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const time = (description: string): JsonSchema => number(`${description}, in Unix seconds with milliseconds.`);

/** Fields of a new target. */
export const targetFields = (kinds: readonly string[]): Readonly<Record<string, JsonSchema>> => ({
  medium: oneOf(NOTICE_MEDIA),
  address: string('An http or https URL, to which nothing is added; of `email` the address of a mailbox.'),
  'kinds?': {
    type: 'array',
    items: oneOf(kinds),
    description: 'The kinds of notices that the target gets; empty or absent: all.',
  },
  'language?': oneOf(LANGUAGES, 'Language of the texts; by default that of `Accept-Language`.'),
});

/** Fields of a target that a caller may change. */
export const changedTargetFields = (kinds: readonly string[]): Readonly<Record<string, JsonSchema>> => {
  const { 'kinds?': reported, 'language?': language } = targetFields(kinds);
  return { 'kinds?': reported as JsonSchema, 'language?': language as JsonSchema };
};

const minutes = (description: string, minimum: number): JsonSchema => ({
  type: ['integer', 'null'],
  minimum,
  maximum: 525_600,
  description,
});

/** Settings that a request may change; null: as operators have set it, or the default. */
export const SETTING_FIELDS: Readonly<Record<string, JsonSchema>> = {
  'low_balance?': {
    type: ['number', 'null'],
    minimum: 0,
    description: 'Less than so many currency units is low; 0: never. By default 1.',
  },
  'key_quota_percents?': {
    type: ['array', 'null'],
    items: { type: 'integer', minimum: 1, maximum: 100 },
    minItems: 1,
    maxItems: 5,
    description: 'Percentages of a key’s quota at which a notice is sent. By default 80 and 95.',
  },
  'callbacks_failed?': {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 10_000,
    description: 'Callbacks that were not delivered within an hour, and no more that were. By default 5.',
  },
  'repeat_minutes?': minutes('What stands is told again after so long; 0: never. By default 1440.', 0),
  'quiet_minutes?': minutes(
    'What is over and begins again within so long is not told anew before it has passed. By default 60.',
    1,
  ),
};

export const OPERATOR_SETTING_FIELDS: Readonly<Record<string, JsonSchema>> = {
  ...SETTING_FIELDS,
  'channel_minutes?': minutes('A channel that has kept failing for so long is sick. By default 1.', 0),
};

const inForce = (fields: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const [type] = schema['type'] as string[];
      return [name.replace('?', ''), { ...schema, type: type as string }];
    }),
  );
const set = listOf(string(), 'Names of those that were set here; the others are those of operators, or the defaults.');

export const NOTICE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Notice: object({
    id: string('The same for as long as the condition stands.'),
    kind: anyWord(NOTICE_KINDS),
    state: anyWord(['standing', 'resolved']),
    subject: string(
      'Id of the account, key or channel, with a model’s behind a space where the channel fails for that alone; `books` of an audit.',
    ),
    account_id: orNull(string('The account that it is about; null: the whole deployment.')),
    level: integer('The percentage that `key_quota` reached; 0 for other kinds.'),
    since: time('Time at which the condition began'),
    ended_at: orNull(time('Time at which the condition ended; null: it has not')),
    text: string('A sentence, in the language of `Accept-Language`.'),
    figures: anyObject('What the sentence says, for programs; amounts in currency units.'),
    reported_at: orNull(time('Time of the last message about it; null: none was sent yet')),
  }),
  NoticeTarget: object({
    id: string(),
    medium: anyWord(NOTICE_MEDIA),
    address: string('Only the origin of a URL is shown: whoever knows the rest can write there.'),
    kinds: listOf(anyWord([...NOTICE_KINDS]), 'Empty: all.'),
    language: anyWord(LANGUAGES),
    created: time('When it was made'),
    reachable: boolean('False: no user of the account is proven to have this email address, so nothing is sent.'),
    last_message: orNull(
      object(
        {
          state: anyWord(DELIVERY_STATES),
          reason: orNull(
            string('Why it is not delivered: a status as `http_500` or `smtp_550`, or a word as `timeout`.'),
          ),
          created: time('When it was written'),
        },
        'The newest one, tests included; null: there is none.',
      ),
    ),
    'secret?': string(
      'Signs what an operators’ webhook gets: only in the answer that makes the target. Those of an account are signed by the secret of its callbacks.',
    ),
  }),
  NoticeSettings: object({ ...inForce(SETTING_FIELDS), set }),
  OperatorNoticeSettings: object({ ...inForce(OPERATOR_SETTING_FIELDS), set }),
};
