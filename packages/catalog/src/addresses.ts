import { mediaIdOf } from '@mediagate/contracts';
import type { NamedAddress } from './entry';
import { type Rule, reject, together } from './rules';

/** Characters of an address. A data URL that is longer stands beside the body. */
export const MAX_URL_LENGTH = 8192;

/** The description of every field that names a file. */
export const FILE_ADDRESS = 'http or https URL, data URL, or id of a file (`file_…`).';

/** Or an image in base64 without the prefix, as older clients send it: its bytes are judged with those of all files. */
const DATA_URL = /^(?:data:|[A-Za-z0-9+/]{64})/i;

/** Makes the rule that every address in the body is valid; the file behind it is judged like any other file. */
export function addressesAreFiles<Input>(addresses: (input: Input) => readonly NamedAddress[]): Rule<Input> {
  return (input) => {
    const wrong = addresses(input).filter(({ url }) => !isFileAddress(url));
    return together(wrong.map(({ field }) => reject(field, 'must_be_file')));
  };
}

/** Makes the rule that every page the body names is an http or https URL. */
export function pagesAreHttp<Input>(pages: (input: Input) => readonly NamedAddress[]): Rule<Input> {
  return (input) => {
    const wrong = pages(input).filter(({ url }) => !isHttpUrl(url));
    return together(wrong.map(({ field }) => reject(field, 'must_be_url')));
  };
}

function isFileAddress(text: string): boolean {
  return isHttpUrl(text) || DATA_URL.test(text) || mediaIdOf(text) !== undefined;
}

/** Whether the address may be called is for the guarded client to say. */
function isHttpUrl(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
