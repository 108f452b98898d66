/** A number as a decimal with up to nine decimals, however small: never with an exponent. */
export function decimalText(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '');
}
