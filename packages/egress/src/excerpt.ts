const MAX_EXCERPT_BYTES = 512;

/** The beginning of a body as printable text of at most 512 bytes, for an operator's eyes. */
export function excerptOf(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  // Control characters become spaces (a database's text cannot hold NUL); the cut never splits a character.
  const text = Buffer.concat(chunks)
    .subarray(0, MAX_EXCERPT_BYTES)
    .toString('utf8')
    .replace(/\p{Cc}/gu, ' ');
  const encoded = Buffer.from(text, 'utf8').subarray(0, MAX_EXCERPT_BYTES);
  return new TextDecoder().decode(encoded, { stream: true });
}
