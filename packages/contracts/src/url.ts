/**
 * The URL that a text is, as the WHATWG parser reads it; undefined: none. Not by `URL.canParse`: once Node 20 has optimised
 * a caller of it, that says no to every text with letters such as `é` and `ü`.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
