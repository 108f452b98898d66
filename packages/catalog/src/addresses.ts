import type { NamedAddress } from './entry';
import { type Rule, reject, together } from './rules';

/** Characters of an address. */
export const MAX_URL_LENGTH = 8192;

/** Whether the address may be called is for the guarded client to say. */
export function isHttpUrl(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

/** Makes the rule that every address the body names is an http or https URL. */
export function addressesAreHttp<Input>(addresses: (input: Input) => readonly NamedAddress[]): Rule<Input> {
  return (input) => {
    const wrong = addresses(input).filter(({ url }) => !isHttpUrl(url));
    return together(wrong.map(({ field }) => reject(field, 'must_be_url')));
  };
}
