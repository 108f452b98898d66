import type { Json, JsonObject } from '@mediagate/contracts';
import { dropUnset } from '../../../../http/body/json-body';
import type { FieldReader } from '../field-reader';
import { isUnset } from '../text-options';

const THINKING = 'extra_body.google.thinking_config';
const LEVELS = ['minimal', 'low', 'medium', 'high'] as const;

/**
 * `extra_body.google.thinking_config`, as Gemini's own chat interface takes it, with its names in either spelling. Thoughts are never shown:
 * `include_thoughts` is among the unread fields, as is all else in `extra_body`.
 */
export function readThinking(chat: JsonObject, fields: FieldReader): JsonObject {
  const { google } = objectAt(chat['extra_body'], 'extra_body', fields);
  const { thinking_config } = objectAt(google, 'extra_body.google', fields);
  const set = objectAt(thinking_config, THINKING, fields);
  const tokens = fields.whole(
    eitherOf(set, ['thinking_budget', 'thinkingBudget'], fields),
    `${THINKING}.thinking_budget`,
  );
  const named = eitherOf(set, ['thinking_level', 'thinkingLevel'], fields);
  const level = named === undefined ? undefined : fields.word(named, `${THINKING}.thinking_level`, LEVELS);
  const config: JsonObject = {
    ...(tokens === undefined ? {} : { thinkingBudget: tokens }),
    ...(level === undefined ? {} : { thinkingLevel: level }),
  };
  if (Object.keys(config).length === 0) return {};
  if (!isUnset(chat['reasoning_effort'])) fields.invalid(THINKING, 'not_together', { other: 'reasoning_effort' });
  return { thinkingConfig: config };
}

/** The one of two spellings that is there; of two different values neither is meant. */
function eitherOf(set: JsonObject, [name, other]: readonly [string, string], fields: FieldReader): Json | undefined {
  const [value, otherValue] = [set[name], set[other]];
  if (value !== undefined && otherValue !== undefined && value !== otherValue) {
    fields.invalid(`${THINKING}.${other}`, 'not_together', { other: `${THINKING}.${name}` });
  }
  return value ?? otherValue;
}

/** Its fields that are set; null sets none. */
function objectAt(value: Json | undefined, param: string, fields: FieldReader): JsonObject {
  const set = { ...fields.object(value ?? {}, param) };
  dropUnset(set);
  return set;
}
