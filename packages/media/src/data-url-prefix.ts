/** `data:`, a type or none, parameters, and that base64 follows, in any letter case. */
const PREFIX = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[\w.+-]*)*;\s?base64,/i;
const MAX_PREFIX_CHARACTERS = 256;

export interface DataUrlPrefix {
  /** As the URL declares it, lower case: a hint, for its bytes say what the file is. Empty: it declares none. */
  contentType: string;
  /** Characters before the base64. */
  length: number;
}

export function isDataUrl(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'data:';
}

/** Undefined where the text does not begin as a data URL of base64. */
export function readDataUrlPrefix(text: string): DataUrlPrefix | undefined {
  const [prefix, contentType = ''] = PREFIX.exec(text.slice(0, MAX_PREFIX_CHARACTERS)) ?? [];
  return prefix === undefined ? undefined : { contentType: contentType.toLowerCase(), length: prefix.length };
}
