import { sniff } from './sniff';

/** `data:`, a type or none, parameters that nobody reads, and that base64 follows, in any letter case. */
const PREFIX = /^data:([\w.+-]+\/[\w.+-]+)?(?:;(?:"[^"]*"|[^",;])*)*?;\s?base64,/i;
/** With a file's name among the parameters. */
const MAX_PREFIX_CHARACTERS = 1024;
/** Letters that older clients begin with, who send an image in base64 without any prefix: no address begins so. */
const BARE = /^[\w+/-]{64}/;
const BARE_CHARACTERS = 64;

export interface DataUrlPrefix {
  /** As the URL declares it, lower case: a hint, for its bytes say what the file is. Empty: it declares none. */
  contentType: string;
  /** Characters before the base64. */
  length: number;
}

export function isDataUrl(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'data:' || readBareImage(text) !== undefined;
}

/** Undefined where the text begins neither as a data URL of base64 nor as the base64 of an image. */
export function readDataUrlPrefix(text: string): DataUrlPrefix | undefined {
  const [prefix, contentType = ''] = PREFIX.exec(text.slice(0, MAX_PREFIX_CHARACTERS)) ?? [];
  return prefix === undefined ? readBareImage(text) : { contentType: contentType.toLowerCase(), length: prefix.length };
}

function readBareImage(text: string): DataUrlPrefix | undefined {
  if (!BARE.test(text)) return undefined;
  const type = sniff(Buffer.from(text.slice(0, BARE_CHARACTERS), 'base64'))?.contentType;
  return type?.startsWith('image/') ? { contentType: type, length: 0 } : undefined;
}
