import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';

/** What the wire also takes as the protocol's own field names, of those that a price depends on. */
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
  const renamed = rename(body);
  const { generationConfig } = renamed;
  return isJsonObject(generationConfig) ? { ...renamed, generationConfig: rename(generationConfig) } : renamed;
}

function rename(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  if (!names.some((name) => FIELDS.has(name))) return object;
  const renamed: JsonObject = {};
  for (const name of names) {
    // An assignment to it would give the copy another prototype.
    if (name === '__proto__') continue;
    const documented = FIELDS.get(name) ?? name;
    renamed[documented] = both(renamed[documented], object[name] as Json);
  }
  return renamed;
}

function both(first: Json | undefined, second: Json): Json {
  if (typeof first === 'number' && typeof second === 'number') return Math.max(first, second);
  if (!isJsonObject(first) || !isJsonObject(second)) return second;
  const merged = { ...rename(first) };
  for (const [name, value] of Object.entries(rename(second))) merged[name] = both(merged[name], value);
  return merged;
}
