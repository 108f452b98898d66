import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import { plainName } from '../spellings';

interface Looked {
  /** In any spelling. */
  names: readonly string[];
  /** A field that cannot ask for more than this is no matter. */
  limit: number;
  /** At the top; the price goes by it. */
  own: string | undefined;
}

/**
 * Fields of those names that may ask for more, at any depth, as callers write them: `options.num_images`, `shots[].duration`. A field marked
 * `mediagate-unpriced` changes nothing that is paid, by the operator's own word.
 */
export function fieldsAskingForMore(schema: JsonObject, looked: Looked): string[] {
  const names = new Set(looked.names.map(plainName));
  return fieldsWithin(schema, '').flatMap(({ path, name, field }) => {
    const isMeant = path !== looked.own && names.has(plainName(name));
    return isMeant && !isUnpriced(field) && asksForMore(field, looked.limit) ? [path] : [];
  });
}

interface Field {
  path: string;
  name: string;
  field: unknown;
}

function fieldsWithin({ properties, items }: JsonObject, path: string): Field[] {
  const named = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]): Field[] => {
    const own = { path: path === '' ? name : `${path}.${name}`, name, field };
    return [own, ...(isJsonObject(field) ? fieldsWithin(field, own.path) : [])];
  });
  return isJsonObject(items) ? [...named, ...fieldsWithin(items, `${path}[]`)] : named;
}

function isUnpriced(field: unknown): boolean {
  return isJsonObject(field) && field['mediagate-unpriced'] === true;
}

/** Whether the field may hold anything but numbers up to the limit: words leave open how much is meant. */
function asksForMore(field: unknown, limit: number): boolean {
  if (!isJsonObject(field)) return true;
  const { const: only, enum: choices, maximum } = field;
  const figures = only !== undefined ? [only] : Array.isArray(choices) ? choices : [maximum];
  return !figures.every((figure) => Number(figure) <= limit);
}
