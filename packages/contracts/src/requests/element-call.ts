/**
 * The pattern of a regular expression for `@name`, by which a prompt calls a `VideoElement`. A name that ends in a letter,
 * digit or `_` is over where the word is, so that `@cat` is not in `@category`; scripts without blanks end it anywhere.
 */
export function elementCallPattern(name: string): string {
  const exact = name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return `@${exact}${/\w$/.test(name) ? '(?!\\w)' : ''}`;
}
