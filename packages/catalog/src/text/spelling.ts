import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';

/** Other spellings that the wire takes, with the protocol's own names, of the fields that a price depends on. */
const FIELDS = new Map([
  ['system_instruction', 'systemInstruction'],
  ['generation_config', 'generationConfig'],
  ['max_output_tokens', 'maxOutputTokens'],
  ['candidate_count', 'candidateCount'],
  ['tool_config', 'toolConfig'],
  ['safety_settings', 'safetySettings'],
  ['cached_content', 'cachedContent'],
  ['response_schema', 'responseSchema'],
  ['response_json_schema', 'responseJsonSchema'],
]);

/**
 * The body with the documented names of its fields: upstreams take `generation_config` for `generationConfig`. Of a number
 * that is given under both names the greater one counts, because nobody can tell which one the upstream goes by.
 */
export function asDocumented(body: JsonObject): JsonObject {
  const renamed = rename(body, mergeConfigs);
  const { generationConfig } = renamed;
  return isJsonObject(generationConfig) ? { ...renamed, generationConfig: rename(generationConfig, greater) } : renamed;
}

/** Chooses the value of a field that is given under both of its names. */
type Choose = (first: Json, second: Json) => Json;

function rename(object: JsonObject, choose: Choose): JsonObject {
  const names = Object.keys(object);
  if (!names.some((name) => FIELDS.has(name))) return object;
  const renamed: JsonObject = {};
  for (const name of names) {
    // An assignment to it would give the copy another prototype.
    if (name === '__proto__') continue;
    const documented = FIELDS.get(name) ?? name;
    const value = object[name] as Json;
    const first = renamed[documented];
    renamed[documented] = first === undefined ? value : choose(first, value);
  }
  return renamed;
}

/** One level alone: below it nothing has two names, and callers decide how deep it goes. */
function mergeConfigs(first: Json, second: Json): Json {
  if (!isJsonObject(first) || !isJsonObject(second)) return second;
  const merged = { ...rename(first, greater) };
  for (const [name, value] of Object.entries(rename(second, greater))) {
    const given = merged[name];
    if (name !== '__proto__') merged[name] = given === undefined ? value : greater(given, value);
  }
  return merged;
}

function greater(first: Json, second: Json): Json {
  return typeof first === 'number' && typeof second === 'number' ? Math.max(first, second) : second;
}
