import { isJsonObject, type Json } from '@mediagate/contracts';

/** JSON whose numbers are plain decimals, as prices are read from their text: never 5e-7. */
export function plainJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(plainJson).join(',')}]`;
  if (isJsonObject(value)) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${plainJson(member)}`).join(',')}}`;
  }
  return typeof value === 'number' ? plainNumber(value) : JSON.stringify(value);
}

const MAX_DECIMALS = 9;

/** One of more decimals than a price has stays as JSON writes it, and is found to be none. */
export function plainNumber(value: number): string {
  const text = String(value);
  const decimal = value.toFixed(MAX_DECIMALS);
  return text.includes('e') && Number(decimal) === value ? decimal.replace(/\.?0+$/, '') : text;
}
