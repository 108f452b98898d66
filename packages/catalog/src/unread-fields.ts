import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { beginning } from './known-fields';
import { findSpelling, isSent } from './spellings';

export interface UnreadField {
  /** `tools[0].function.Parameters` */
  field: string;
  /** Its name within its object. */
  name: string;
  value: Json;
  isTop: boolean;
  /** The field that its name is another spelling of, as that object has it. */
  other: string | undefined;
}

/** A schema as it is looked up in, once for each part of a body. */
interface Shape {
  /** By name; a field without a shape may hold whatever it likes. Undefined: the schema names no fields. */
  fields: ReadonlyMap<string, Shape | undefined> | undefined;
  properties: JsonObject;
  items: Shape | undefined;
}

/**
 * Finds the fields of a body that its schema does not have, at every depth where the schema names fields. Those within objects that
 * ask for nothing (`null`, `false`, blank or empty) are left out: answers that are sent back have many.
 */
export function createUnreadFinder(schema: JsonObject): (body: JsonObject) => UnreadField[] {
  const shape = shapeOf(schema);
  return (body) => {
    const found: UnreadField[] = [];
    if (shape) visit(body, shape, { path: [], found });
    return found;
  };
}

function shapeOf({ properties, items: item }: JsonObject): Shape | undefined {
  const items = isJsonObject(item) ? shapeOf(item) : undefined;
  if (!isJsonObject(properties)) return items && { fields: undefined, properties: {}, items };
  const named = Object.entries(properties).map(([name, field]) => [name, shapeOf(field as JsonObject)] as const);
  return { fields: new Map(named), properties, items };
}

interface Search {
  /** Names and indexes from the top. */
  path: (string | number)[];
  found: UnreadField[];
}

function visit(value: Json[] | JsonObject, shape: Shape, search: Search): void {
  if (!Array.isArray(value)) visitFields(value, shape, search);
  else if (shape.items) for (let at = 0; at < value.length; at += 1) enter(at, value[at], shape.items, search);
}

function visitFields(object: JsonObject, { fields, properties }: Shape, search: Search): void {
  if (fields === undefined) return;
  for (const name of Object.keys(object)) {
    const shape = fields.get(name);
    if (shape !== undefined) enter(name, object[name], shape, search);
    else if (!fields.has(name)) note(name, object, properties, search);
  }
}

function enter(step: string | number, value: Json | undefined, shape: Shape, search: Search): void {
  if (typeof value !== 'object' || value === null) return;
  search.path.push(step);
  visit(value, shape, search);
  search.path.pop();
}

function note(name: string, object: JsonObject, properties: JsonObject, { path, found }: Search): void {
  const isTop = path.length === 0;
  if (!isTop && !isSent(object, name)) return;
  const field = shown([...path, beginning(name)]);
  found.push({ field, name, value: object[name] as Json, isTop, other: findSpelling(properties, name) });
}

function shown(path: readonly (string | number)[]): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
}
