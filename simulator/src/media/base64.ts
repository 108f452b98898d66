/**
 * Whether all of `text` is base64, of either alphabet. What does not belong is looked for: an expression that matches the
 * whole keeps a place to return to for every character, and megabytes of them overflow the stack.
 */
export function isBase64(text: string): boolean {
  const padding = text.indexOf('=', Math.max(0, text.length - 2));
  return text !== '' && !/[^A-Za-z0-9+/_-]/.test(padding < 0 ? text : text.slice(0, padding));
}
