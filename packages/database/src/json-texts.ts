/** U+001E, the record separator. JSON escapes every control character, so that it stands in no JSON text. */
const SEPARATOR = '\u001e';

/**
 * JSON texts as one parameter, which `jsonTexts` makes an array of again. In the literal of an array every quote would be escaped, here and
 * once more for the server to undo.
 */
export function joinJsonTexts(texts: readonly string[]): string {
  return texts.join(SEPARATOR);
}

/** SQL: the `text[]` of a parameter that `joinJsonTexts` made. */
export function jsonTexts(parameter: `$${number}`): string {
  return `string_to_array(${parameter}, E'\\x1e')`;
}
