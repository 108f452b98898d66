import type { Json, JsonObject } from '@mediagate/contracts';
import { dropUnset } from '../../../../http/json-body';
import type { FieldReader } from '../field-reader';

const THINKING = 'extra_body.google.thinking_config';
const LEVELS = ['minimal', 'low', 'medium', 'high'] as const;

/**
 * `extra_body.google.thinking_config`, as Gemini's own chat interface takes it, with its names in either spelling. Thoughts are never shown:
 * `include_thoughts` is among the unread fields, as is all else in `extra_body`.
 */
export function readThinking(chat: JsonObject, fields: FieldReader): { config: JsonObject; unread: JsonObject } {
  const { google, ...others } = objectAt(chat['extra_body'], 'extra_body', fields);
  const { thinking_config, ...ofGoogle } = objectAt(google, 'extra_body.google', fields);
  const { thinking_budget, thinkingBudget, thinking_level, thinkingLevel, ...ofThinking } = objectAt(
    thinking_config,
    THINKING,
    fields,
  );
  const tokens = fields.whole(thinking_budget ?? thinkingBudget, `${THINKING}.thinking_budget`);
  const named = thinking_level ?? thinkingLevel;
  const level = named === undefined ? undefined : fields.word(named, `${THINKING}.thinking_level`, LEVELS);
  const config: JsonObject = {
    ...(tokens === undefined ? {} : { thinkingBudget: tokens }),
    ...(level === undefined ? {} : { thinkingLevel: level }),
  };
  const isChosen = Object.keys(config).length > 0;
  if (isChosen && chat['reasoning_effort'] !== undefined) {
    fields.invalid(THINKING, 'not_together', { other: 'reasoning_effort' });
  }
  return {
    config: isChosen ? { thinkingConfig: config } : {},
    unread: {
      ...within('extra_body', others),
      ...within('extra_body.google', ofGoogle),
      ...within(THINKING, ofThinking),
    },
  };
}

/** Its fields that are set; null sets none. */
function objectAt(value: Json | undefined, param: string, fields: FieldReader): JsonObject {
  const set = { ...fields.object(value ?? {}, param) };
  dropUnset(set);
  return set;
}

/** Adds the path to the names; a value that is false asks for nothing. */
function within(path: string, rest: JsonObject): JsonObject {
  const asked = Object.entries(rest).filter(([, value]) => value !== false);
  return Object.fromEntries(asked.map(([name, value]) => [`${path}.${name}`, value]));
}
