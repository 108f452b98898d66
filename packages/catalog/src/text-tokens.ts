/** Tokens of a text, estimated: its UTF-8 bytes by four, rounded up. */
export function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
