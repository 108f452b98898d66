/** At most `width` characters, the last of them `…` where something is missing. */
export function cutTo(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** On one line, whatever was in it. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
