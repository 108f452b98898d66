export interface DataUrl {
  /** As declared; the bytes may say otherwise. */
  contentType: string;
  bytes: Buffer;
}

/** Not a data URL as it must be. The message is fit for the caller. */
export class DataUrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DataUrlError';
  }
}

const PREFIX = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/;
const MAX_PREFIX_CHARACTERS = 100;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function isDataUrl(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'data:';
}

/**
 * Decodes `data:<type>;base64,<data>` to the letter: no parameters, no blanks, no missing padding, a declared type among
 * `contentTypes`. The size is known from the text's length and refused before anything is decoded. Throws DataUrlError.
 */
export function parseDataUrl(text: string, limits: { maxBytes: number; contentTypes: readonly string[] }): DataUrl {
  const { contentType, data } = splitDataUrl(text);
  if (!limits.contentTypes.includes(contentType)) {
    throw new DataUrlError(`The data URL is ${contentType}; accepted are ${limits.contentTypes.join(', ')}.`);
  }
  const size = decodedBytes(data);
  if (size > limits.maxBytes) {
    throw new DataUrlError(`The data URL holds ${size} bytes; at most ${limits.maxBytes} are accepted.`);
  }
  const bytes = Buffer.from(data, 'base64');
  if (data.length % 4 !== 0 || !BASE64.test(data) || !isCanonical(data, bytes)) {
    throw new DataUrlError('The data URL is not valid base64.');
  }
  return { contentType, bytes };
}

function splitDataUrl(text: string): { contentType: string; data: string } {
  const match = PREFIX.exec(text.slice(0, MAX_PREFIX_CHARACTERS));
  if (match === null)
    throw new DataUrlError('A data URL must begin with data:<type>;base64, as in data:image/png;base64,');
  const [prefix, contentType = ''] = match;
  return { contentType, data: text.slice(prefix.length) };
}

function decodedBytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}

/** The last letters must not carry bits that decoding drops, or one file would have several spellings. */
function isCanonical(data: string, bytes: Buffer): boolean {
  const tail = bytes.subarray(bytes.length - (bytes.length % 3 || 3));
  return data.endsWith(tail.toString('base64'));
}
